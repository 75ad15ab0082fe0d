import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { EvidencePorts } from '../../../../src/editor/evidence/context.ts';
import { mergeCommand } from '../../../../src/editor/evidence/evidenceFiles.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';

describe('a merge of evidence', () => {
  const home = temporaryFolder();

  it('goes into the folder that a person chooses of several', async () => {
    const roots = await Promise.all(
      ['one', 'two'].map(async (name) => {
        await mkdir(join(home.path, name, 'reports'), { recursive: true });
        return { uri: vscode.Uri.file(join(home.path, name)), folder: 'reports', isWorkspace: true };
      }),
    );
    const given = join(home.path, 'given.json');
    await writeFile(given, '{"version": 1, "evidence": [], "of": "a friend"}');
    const ports = { downloads: async () => ({ roots }) } as unknown as EvidencePorts;
    const written = (name: string) => readFile(join(home.path, name, 'reports', 'reports.evidence.json'), 'utf8');
    const { window } = vscode;
    const usual = { showQuickPick: window.showQuickPick, showOpenDialog: window.showOpenDialog };
    try {
      Object.assign(window, {
        showOpenDialog: async () => [vscode.Uri.file(given)],
        showQuickPick: async () => undefined,
      });
      await mergeCommand(ports);
      Object.assign(window, { showQuickPick: async (items: readonly unknown[]) => items[1] });
      await mergeCommand(ports);
      assert.match(await written('two'), /a friend/);
      await assert.rejects(written('one'), /ENOENT/);
    } finally {
      Object.assign(window, usual);
    }
  });

  it('changes no folder where another one can’t be read', async () => {
    const conflict = '{"version": 1,\n<<<<<<< ours\n"of": "a",\n=======\n"of": "b",\n>>>>>>> theirs\n"evidence": []}\n';
    const roots = await Promise.all(
      ['first', 'second'].map(async (name) => {
        await mkdir(join(home.path, name, 'reports'), { recursive: true });
        return { uri: vscode.Uri.file(join(home.path, name)), folder: 'reports', isWorkspace: true };
      }),
    );
    const file = join(home.path, 'first', 'reports', 'reports.evidence.json');
    await writeFile(file, conflict);
    // A folder in place of the file.
    await mkdir(join(home.path, 'second', 'reports', 'reports.evidence.json'));
    await assert.rejects(mergeCommand({ downloads: async () => ({ roots }) } as unknown as EvidencePorts));
    assert.equal(await readFile(file, 'utf8'), conflict);
  });
});
