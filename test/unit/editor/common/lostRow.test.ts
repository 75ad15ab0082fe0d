import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger.ts';
import { registerCommand } from '../../../../src/editor/common/commands.ts';

describe('a command of a row', () => {
  const { showErrorMessage } = vscode.window;
  let run = async (..._args: unknown[]): Promise<unknown> => undefined;
  const shown: string[] = [];
  beforeEach(() => {
    Object.assign(vscode.commands, {
      registerCommand: (_name: string, registered: typeof run) => {
        run = registered;
        return { dispose() {} };
      },
    });
    Object.assign(vscode.window, { showErrorMessage: async (text: string) => void shown.push(text) });
  });
  afterEach(() => {
    Reflect.deleteProperty(vscode.commands, 'registerCommand');
    Object.assign(vscode.window, { showErrorMessage });
  });

  it('asks to choose again where the editor has lost the row, and does nothing to all rows', async () => {
    const given: unknown[][] = [];
    registerCommand('insertIntoNotebook', silentLogger, async (...args) => void given.push(args));
    await run(undefined, undefined);
    assert.deepEqual(given, []);
    assert.match(shown.join(), /The list was refreshed\. Choose again\./);
    await run();
    await run({ kind: 'report' }, undefined);
    assert.deepEqual(given, [[], [{ kind: 'report' }, undefined]]);
  });

  it('runs from the menu of a view, which has no row', async () => {
    const given: unknown[][] = [];
    registerCommand('switchConnection', silentLogger, async (...args) => void given.push(args));
    await run(undefined, undefined);
    assert.deepEqual(given, [[undefined, undefined]]);
  });
});
