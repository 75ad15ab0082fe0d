import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { keptRecords } from '../../../../src/editor/evidence/evidenceFiles.ts';
import type { EvidencePorts } from '../../../../src/editor/evidence/ports.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';

describe('a file of quotes', () => {
  const home = temporaryFolder();

  it('may be missing, and one that can’t be read is a problem in words', async () => {
    await mkdir(join(home.path, 'reports'));
    const root = { uri: vscode.Uri.file(home.path), folder: 'reports', isWorkspace: true };
    const ports = { downloads: async () => ({ roots: [root] }) } as unknown as EvidencePorts;
    assert.deepEqual(await keptRecords(ports), { kept: [], problems: [] });
    await writeFile(join(home.path, 'reports', 'reports.evidence.json'), '{');
    const { kept, problems } = await keptRecords(ports);
    assert.deepEqual(kept, []);
    assert.match(problems.join(), /not valid JSON/);
  });
});
