import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { acceptPlace } from '../../../../src/editor/evidence/checkEvidence.ts';
import type { EvidencePorts, QuotedPdf } from '../../../../src/editor/evidence/context.ts';
import { copyTable } from '../../../../src/editor/evidence/quote.ts';
import { tables, take } from '../../../../src/editor/evidence/take.ts';
import { parseEvidence } from '../../../../src/evidence/record.ts';
import type { CopiedTable } from '../../../../src/protocol/pdfPreview.ts';
import { pdf, sha256, temporaryFolder } from '../../downloads/fixtures.ts';

/** What is on any page. */
let printed = '';

const table = (cells: string[][]): CopiedTable => {
  const text = cells.flat().join(' ').replace('-\n', '').replace('\u202e', '');
  printed = `Before. ${text} After.`;
  return {
    passage: {
      ...{ text: printed, start: 8, end: 8 + text.length },
      regions: [{ page: 5, label: '2', rectangles: [[10, 20, 300, 400]] }],
    },
    ...{ columns: [10, 100, 300], rows: [400, 300, 20], cells },
    ...{ style: '1,234.5', toCheck: 1 },
  };
};

describe('a table that a person copies', () => {
  const home = temporaryFolder();
  const bytes = pdf(1);
  let copied = '';
  const { writeText } = vscode.env.clipboard;

  before(() => {
    const note = async (text: string) => {
      copied = text;
    };
    Object.assign(vscode.env.clipboard, { writeText: note });
  });
  after(() => {
    Object.assign(vscode.env.clipboard, { writeText });
  });

  async function opened(form: string, there = bytes) {
    await mkdir(join(home.path, 'reports'), { recursive: true });
    await writeFile(join(home.path, 'reports', 'a.pdf'), there);
    const row = {
      ...{ report_id: 1, report_key: 'K', company_key: 'C', path: 'a.pdf', schema_version: 'V3' },
      ...{ sha256: sha256(bytes), bytes: bytes.length, downloaded_at: '2026-01-01T00:00:00.000Z' },
    };
    const root = { uri: vscode.Uri.file(home.path), folder: 'reports', isWorkspace: true };
    const file: QuotedPdf = { root, row, uri: vscode.Uri.file(join(home.path, 'reports', 'a.pdf')) };
    const memory = { get: () => form, update: async () => {}, keys: () => [] };
    const ports: Partial<EvidencePorts> = {
      memory,
      downloads: async () => ({ roots: [root], localPdfs: async (isWanted) => [file].filter(isWanted) }),
      report: async () => undefined,
      placedText: async () => ({ text: printed, boxes: [], label: null }),
    };
    return { ports: ports as EvidencePorts, uri: file.uri, file };
  }

  const small = [
    ['Scope', '2024'],
    ['Emissions', '1,234²'],
  ];
  const kept = () => readFile(join(home.path, 'reports', 'reports.evidence.json'), 'utf8');

  it('is kept nowhere where its text can’t be made or copied', async () => {
    const { ports, file } = await opened('csv');
    const fail = (why: string) => () => {
      throw new Error(why);
    };
    const what: Parameters<typeof take>[3] = {
      ...{ kind: 'table', selector: { type: 'TextQuoteSelector', exact: 'Scope 2024', prefix: '', suffix: '' } },
      regions: [{ page: 1, label: null, rectangles: [], cells: [['Scope', '2024']] }],
    };
    const how = { mayPick: false, done: () => 'Copied' };
    await assert.rejects(take(ports, { ...tables(), copy: fail('no text') }, file, what, how), /no text/);
    await assert.rejects(kept(), /ENOENT/);
    const { writeText } = vscode.env.clipboard;
    try {
      Object.assign(vscode.env.clipboard, { writeText: fail('no clipboard') });
      await assert.rejects(take(ports, tables(), file, what, how), /no clipboard/);
    } finally {
      Object.assign(vscode.env.clipboard, { writeText });
    }
    assert.deepEqual(parseEvidence(await kept()).records, []);
  });

  it('goes into no document in which its words could run, in none of its forms, and is kept nowhere then', async () => {
    for (const form of ['markdown', 'code']) {
      const { ports, uri } = await opened(form);
      const insertionPlace: EvidencePorts['insertionPlace'] = async () => ({
        document: vscode.Uri.file(join(home.path, 'a.html')),
        as: 'markup',
        pathTo: () => 'reports/a.pdf',
        insert: () => assert.fail('inserted'),
      });
      await assert.rejects(copyTable({ ...ports, insertionPlace }, uri, table(small), false), /could run.*clipboard/);
    }
    await assert.rejects(kept(), /ENOENT/);
  });

  it('goes to the clipboard with its numbers, and is recorded with its lines and cells in the form of all text', async () => {
    const { ports, uri } = await opened('csv');
    const cells = [
      ['Scope', '2024'],
      ['Emis-\nsions', '1,234²\u202e'],
    ];
    assert.equal(await copyTable(ports, uri, table(cells), false), 'Table copied: 2 × 2 cells · Cells to check: 1');
    assert.equal(copied, 'Scope,2024,2024 (number)\r\nEmissions,"1,234²",1234\r\n');
    const text = await readFile(join(home.path, 'reports', 'reports.evidence.json'), 'utf8');
    const { records, problems } = parseEvidence(text);
    assert.deepEqual(problems, []);
    const [record] = records;
    assert.equal(record?.kind, 'table');
    assert.deepEqual(record?.selector, {
      ...{ type: 'TextQuoteSelector', exact: 'Scope 2024 Emissions 1,234²', prefix: 'Before.', suffix: 'After.' },
    });
    assert.deepEqual(record?.regions, [
      {
        ...{ page: 5, label: '2', rectangles: [[10, 20, 300, 400]], columns: [10, 100, 300], rows: [400, 300, 20] },
        cells: [
          ['Scope', '2024'],
          ['Emissions', '1,234²'],
        ],
      },
    ]);
  });

  it('goes as code only into documents in Python, and keeps no record where it can not go', async () => {
    const { ports, uri } = await opened('code');
    const insertionPlace: EvidencePorts['insertionPlace'] = async () => ({
      ...{ document: vscode.Uri.file(join(home.path, 'a.R')), as: 'r', pathTo: () => 'reports/a.pdf' },
      insert: () => assert.fail('inserted'),
    });
    await assert.rejects(copyTable({ ...ports, insertionPlace }, uri, table(small), false), /no code in the language/);
    await assert.rejects(kept(), /ENOENT/);
  });

  it('is accepted like a quote where its words are in a newer PDF, and keeps its cells', async () => {
    const { ports, uri } = await opened('csv');
    await copyTable(ports, uri, table(small), false);
    const record = async () => parseEvidence(await kept()).records[0] ?? assert.fail();
    const { roots } = await ports.downloads();
    const rectangles: EvidencePorts['rectangles'] = async (_pdf, { page, exact }) => {
      assert.deepEqual([page, exact], [6, 'Scope 2024 Emissions 1,234²']);
      return [
        [12, 335, 60, 345],
        [10, 145, 90, 155],
      ];
    };
    await acceptPlace(
      { ...ports, rectangles },
      {
        ...{ root: roots[0] ?? assert.fail(), record: await record(), state: 'found', page: 6, label: '3' },
        pdf: { report_id: 1, sha256: sha256(bytes), path: uri.fsPath },
      },
    );
    assert.deepEqual((await record()).regions, [
      { page: 6, label: '3', rectangles: [[10, 145, 90, 345]], cells: small },
    ]);
  });

  it('is refused where it has no text, and where the PDF is not the one that others have', async () => {
    const { ports, uri } = await opened('csv');
    const empty = [
      ['', ' '],
      ['', ''],
    ];
    await assert.rejects(copyTable(ports, uri, table(empty), false), /has no text/);
    const edited = await opened('csv', pdf(2));
    await assert.rejects(copyTable(edited.ports, edited.uri, table(small), false), /edited after/);
    const elsewhere = vscode.Uri.file('/elsewhere.pdf');
    await assert.rejects(copyTable(ports, elsewhere, table(small), false), /isn’t one that was/);
  });
});
