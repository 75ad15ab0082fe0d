import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { hashOf } from '../../../../src/editor/evidence/evidenceFiles.ts';
import type { EvidencePorts, QuotedPdf } from '../../../../src/editor/evidence/ports.ts';
import { addQuote } from '../../../../src/editor/evidence/quote.ts';
import { acceptPlace } from '../../../../src/editor/evidence/results.ts';
import type { EvidenceRecord } from '../../../../src/evidence/record.ts';
import { pdf, sha256, temporaryFolder } from '../../downloads/fixtures.ts';

describe('a quote that a program gives', () => {
  const home = temporaryFolder();
  const bytes = pdf(1);
  const page = 'In Europe our emissions fell by a tenth.\nIn Asia all emissions fell by a tenth, too.';
  const exact = 'emissions fell by a tenth';

  async function portsWith(there: Buffer): Promise<EvidencePorts & { readonly file: QuotedPdf }> {
    await mkdir(join(home.path, 'reports'), { recursive: true });
    await writeFile(join(home.path, 'reports', 'a.pdf'), there);
    const row = {
      ...{ report_id: 1, report_key: 'K', company_key: 'C', path: 'a.pdf', schema_version: 'V3' },
      ...{ sha256: sha256(bytes), bytes: bytes.length, downloaded_at: '2026-01-01T00:00:00.000Z' },
    };
    const root = { uri: vscode.Uri.file(home.path), folder: 'reports', isWorkspace: true };
    const file: QuotedPdf = { root, row, uri: vscode.Uri.file(join(home.path, 'reports', 'a.pdf')) };
    const ports: Partial<EvidencePorts> = {
      downloads: async () => ({ roots: [root], localPdfs: async (isWanted) => [file].filter(isWanted) }),
      text: async () => ({ pages: [{ label: null, text: page }] }),
    };
    return { ...(ports as EvidencePorts), file };
  }

  const written = async () => {
    const text = await readFile(join(home.path, 'reports', 'reports.evidence.json'), 'utf8');
    return (JSON.parse(text) as { evidence: EvidenceRecord[] }).evidence;
  };

  it('is recorded with the surroundings of the place that it names, and refused where they are none', async () => {
    const ports = await portsWith(bytes);
    const quote = { report_id: 1, page: 1, exact };
    await assert.rejects(addQuote(ports, quote), /more than once/);
    await assert.rejects(addQuote(ports, { ...quote, prefix: 'In Africa our ' }), /not on page 1/);
    await addQuote(ports, { ...quote, prefix: 'In Asia all ' });
    const [record] = await written();
    assert.equal(record?.selector?.suffix, ', too.');
  });

  it('is refused in words where it is none', async () => {
    const ports = await portsWith(bytes);
    for (const given of [{ report_id: 1, page: 1 }, {}, 'words', 7, null])
      await assert.rejects(async () => addQuote(ports, given), /A quote needs/, JSON.stringify(given));
  });

  it('is moved to another place by a person only where the PDF is the one that others have', async () => {
    const ports = await portsWith(bytes);
    await addQuote(ports, { report_id: 1, page: 1, exact: page.slice(0, 40) });
    const [record] = await written();
    assert.ok(record);
    const { root } = ports.file;
    const edited = { report_id: 1, sha256: sha256(pdf(2)), path: 'a.pdf' };
    const found = { root, record, state: 'found', page: 1, pdf: edited } as const;
    await assert.rejects(acceptPlace(ports, found), /edited since it was downloaded/);
    assert.deepEqual(await written(), [record]);
    await acceptPlace(ports, { ...found, page: 2, pdf: { ...edited, sha256: sha256(bytes) } });
    assert.equal((await written())[0]?.regions[0]?.page, 2);
  });

  it('reads no PDF behind a link that leads out of the folder', async () => {
    const { file } = await portsWith(bytes);
    assert.equal(await hashOf(file), sha256(bytes));
    await mkdir(join(home.path, 'elsewhere'));
    await writeFile(join(home.path, 'elsewhere', 'b.pdf'), pdf(2));
    await symlink(join(home.path, 'elsewhere'), join(home.path, 'reports', 'linked'));
    assert.equal(await hashOf({ ...file, row: { ...file.row, path: 'linked/b.pdf' } }), undefined);
  });
});
