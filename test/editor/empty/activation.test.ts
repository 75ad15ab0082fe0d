import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const id = 'report-library.report-library';

describe('the extension in an empty folder', () => {
  it('is there, and activates without an error', async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension, `${id} is not installed`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command that its manifest names', async () => {
    const extension = vscode.extensions.getExtension(id);
    await extension?.activate();
    const manifest = extension?.packageJSON as { contributes?: { commands?: { command: string }[] } } | undefined;
    const promised = (manifest?.contributes?.commands ?? []).map((entry) => entry.command).sort();
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      promised.filter((command) => !registered.has(command)),
      [],
    );
  });
});
