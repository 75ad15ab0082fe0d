import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { EvidencePorts } from '../../../../src/editor/evidence/context.ts';
import { keptRecords } from '../../../../src/editor/evidence/evidenceFiles.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';

const evidenceOf = (report_id: number) => {
  const quote = {
    ...{ id: 'aaaaaaaaaaaa', kind: 'quote', note: '', created_at: '2026-01-01T00:00:00Z' },
    ...{ report_id, report_key: 'XTST_ALFA_2020_SR', sha256: 'a'.repeat(64) },
    selector: { type: 'TextQuoteSelector', exact: 'emissions fell again', prefix: '', suffix: '' },
    regions: [{ page: 1, label: null, rectangles: [] }],
  };
  return JSON.stringify({ version: 1, evidence: [quote] });
};

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

  it('is parsed once for each text that it has', async () => {
    const file = join(home.path, 'reports', 'reports.evidence.json');
    const root = { uri: vscode.Uri.file(home.path), folder: 'reports', isWorkspace: true };
    const ports = { downloads: async () => ({ roots: [root] }) } as unknown as EvidencePorts;
    const firstRecord = async () => (await keptRecords(ports)).kept[0]?.record;
    await mkdir(join(home.path, 'reports'), { recursive: true });
    await writeFile(file, evidenceOf(1));
    const before = await firstRecord();
    assert.ok(before);
    assert.equal(await firstRecord(), before);
    await writeFile(file, evidenceOf(2));
    assert.equal((await firstRecord())?.report_id, 2);
  });
});
