import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { keptRecords } from '../../../../src/editor/evidence/evidenceFiles.ts';
import type { EvidencePorts } from '../../../../src/editor/evidence/ports.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';

describe('a file of quotes', () => {
  const home = temporaryFolder();
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('is read once for each of its versions, also where it can’t be read', async () => {
    await mkdir(join(home.path, 'reports'));
    const file = join(home.path, 'reports', 'reports.evidence.json');
    const root = { uri: vscode.Uri.file(home.path), folder: 'reports', isWorkspace: true };
    const ports = { downloads: async () => ({ roots: [root] }) } as unknown as EvidencePorts;
    const read = () => keptRecords(ports);
    const quote = (id: string) => ({
      ...{ id, report_id: 1, report_key: 'K', sha256: 'a'.repeat(64), kind: 'quote', note: '', created_at: '' },
      selector: { type: 'TextQuoteSelector', exact: 'We measured it.', prefix: '', suffix: '' },
      regions: [{ page: 1, label: null, rectangles: [] }],
    });
    const write = (...evidence: unknown[]) => writeFile(file, JSON.stringify({ version: 1, evidence }));
    assert.deepEqual(await read(), { kept: [], problems: [] });
    await write(quote('first'));
    // A file written just now may be written again without a change of its times.
    Date.now = () => now() + 1000;
    const [one, again] = [await read(), await read()];
    assert.equal(one.kept[0]?.record.id, 'first');
    assert.equal(again.kept[0]?.record, one.kept[0]?.record);
    await write(quote('first'), quote('second'));
    assert.deepEqual(
      (await read()).kept.map(({ record }) => record.id),
      ['first', 'second'],
    );
    await writeFile(file, '{');
    for (const { problems } of [await read(), await read()]) assert.match(problems[0] ?? '', /not valid JSON/);
    await write();
    assert.deepEqual(await read(), { kept: [], problems: [] });
  });
});
