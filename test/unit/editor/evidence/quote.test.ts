import assert from 'node:assert/strict';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../../../../src/api/schemas/report.ts';
import type { Log } from '../../../../src/editor/common/log.ts';
import { kindOfText } from '../../../../src/editor/documents/insert.ts';
import { acceptPlace, type CheckedQuote, checkAll } from '../../../../src/editor/evidence/checkEvidence.ts';
import type { EvidencePorts, QuotedPdf } from '../../../../src/editor/evidence/context.ts';
import { changeEvidence, heldFileOf } from '../../../../src/editor/evidence/evidenceFiles.ts';
import { textOfFile } from '../../../../src/editor/evidence/marks.ts';
import { ownQuote } from '../../../../src/editor/evidence/openEvidence.ts';
import { addQuote, insertAgain, quoteHit, quoteSelection } from '../../../../src/editor/evidence/quote.ts';
import { safely } from '../../../../src/editor/evidence/take.ts';
import type { EvidenceRecord } from '../../../../src/evidence/record.ts';
import { fileOnce } from '../../../support/fileOnce.ts';
import { pdf, sha256, temporaryFolder } from '../../downloads/fixtures.ts';

describe('a quote that a program gives', () => {
  const home = temporaryFolder();
  // Here nobody cancels what takes longer on a busy machine.
  const { withProgress } = vscode.window;
  const patient = async (_: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>) =>
    work({ report() {} }, { onCancellationRequested: () => ({ dispose() {} }) });
  before(() => void Object.assign(vscode.window, { withProgress: patient }));
  after(() => void Object.assign(vscode.window, { withProgress }));
  const bytes = pdf(1);
  const page = 'In Europe our emissions fell by a tenth.\nIn Asia all emissions fell by a tenth, too.';
  const exact = 'emissions fell by a tenth';

  /** What is on any page. */
  let printed = page;

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
      rectangles: async () => [[1, 2, 3, 4]],
      placedText: async () => ({
        text: printed,
        boxes: printed.split('').flatMap((_, at) => [at, 2, at + 1, 4]),
        label: 'i',
      }),
      memory: { get: () => undefined, keys: () => [], update: async () => undefined },
      report: async () => undefined,
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
    await assert.rejects(addQuote(ports, quote), /more than once\. Also give .*“prefix” or “suffix”/);
    await assert.rejects(addQuote(ports, { ...quote, exact: '.' }), /“exact” needs a letter or a digit/);
    await assert.rejects(addQuote(ports, { ...quote, prefix: 'In Africa our ' }), /not on page 1/);
    await addQuote(ports, { ...quote, prefix: 'In Asia all ' });
    const [record] = await written();
    assert.equal(record?.selector.suffix, ', too.');
  });

  it('is kept as the page prints it', async () => {
    const ports = await portsWith(bytes);
    ports.text = async () => ({ pages: [{ label: null, text: 'Water: 406,615 m³ in all.' }] });
    await addQuote(ports, { report_id: 1, page: 1, exact: '406,615 m3' });
    assert.equal((await written())[0]?.selector.exact, '406,615 m³');
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
    await assert.rejects(acceptPlace(ports, found), /edited after it was downloaded/);
    assert.deepEqual(await written(), [record]);
    await acceptPlace(ports, { ...found, page: 2, pdf: { ...edited, sha256: sha256(bytes) } });
    assert.deepEqual((await written())[0]?.regions, [{ page: 2, label: null, rectangles: [[1, 2, 3, 4]] }]);
  });

  it('reads no PDF behind a link that leads out of the folder', async () => {
    const { file } = await portsWith(bytes);
    assert.equal((await heldFileOf(file)).sha256, sha256(bytes));
    await mkdir(join(home.path, 'elsewhere'));
    await writeFile(join(home.path, 'elsewhere', 'b.pdf'), pdf(2));
    await symlink(join(home.path, 'elsewhere'), join(home.path, 'reports', 'linked'));
    assert.equal((await heldFileOf({ ...file, row: { ...file.row, path: 'linked/b.pdf' } })).sha256, undefined);
  });

  const passage = (text: string, words: string, pages = [1]) => {
    printed = text;
    return {
      ...{ text, start: text.indexOf(words), end: text.indexOf(words) + words.length },
      regions: pages.map((number) => ({ page: number, label: null, rectangles: [] })),
    };
  };

  /** Something to work in, which keeps what was put there. */
  function workedIn(ports: EvidencePorts, onInsert = async () => {}) {
    const [blocks, shown]: [string[], string[]] = [[], []];
    const insert = async (text: string) => {
      blocks.push(text);
      await onInsert();
      return { show: async () => void shown.push(text), undo: async () => blocks.pop() !== undefined };
    };
    const insertionPlace: EvidencePorts['insertionPlace'] = async () => ({
      ...{ document: vscode.Uri.file(join(home.path, 'a.md')), as: 'markdown', pathTo: () => 'reports/a.pdf', insert },
    });
    return { blocks, shown, ports: { ...ports, insertionPlace } };
  }

  it('over two pages is one record with a region for each', async () => {
    const { file, ...rest } = await portsWith(bytes);
    const { blocks, ports } = workedIn(rest as EvidencePorts);
    const text = 'All begins here, and goes\non there, on the next page. Then more.';
    await quoteSelection(ports, file.uri, passage(text, 'begins here, and goes\non there, on the next', [4, 5]), false);
    const [record] = await written();
    assert.equal(record?.selector.exact, 'begins here, and goes on there, on the next');
    assert.deepEqual(
      record?.regions.map(({ page: number }) => number),
      [4, 5],
    );
    assert.match(blocks[0] ?? '', /pp\\?\. 4–5/);
  });

  it('is refused where it is not on the page that it is said to be on', async () => {
    const { file, ...rest } = await portsWith(bytes);
    const { blocks, ports } = workedIn(rest as EvidencePorts);
    const selected = passage('Emissions fell by a fifth in the year.', 'Emissions fell by a fifth');
    printed = 'Emissions fell by a tenth in the year.';
    await assert.rejects(quoteSelection(ports, file.uri, selected, false), /not on page 1/);
    assert.deepEqual(blocks, []);
  });

  it('is shown first of all, or undone with its record, from the message about it', async () => {
    const { file, ...rest } = await portsWith(bytes);
    const { blocks, shown, ports } = workedIn(rest as EvidencePorts);
    const { showInformationMessage } = vscode.window;
    const selected = passage(page.replace('\n', ' '), 'In Asia all emissions');
    try {
      for (const answer of ['Show', 'Undo']) {
        const offered = Promise.withResolvers<readonly string[]>();
        const answered = async (_: string, ...buttons: string[]) => {
          offered.resolve(buttons);
          return answer;
        };
        Object.assign(vscode.window, { showInformationMessage: answered });
        await quoteSelection(ports, file.uri, selected, false);
        assert.deepEqual(await offered.promise, ['Show', 'Undo', 'Note…']);
      }
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
    const evidence = join(home.path, 'reports', 'reports.evidence.json');
    await fileOnce(evidence, (text) => JSON.parse(text).evidence.length === 1);
    assert.equal(shown.length, 1);
    assert.equal(blocks.length, 1);
  });

  it('is taken out of the document again where no record can be kept of it', async () => {
    const { file, ...rest } = await portsWith(bytes);
    const evidence = join(home.path, 'reports', 'reports.evidence.json');
    const { blocks, ports } = workedIn(rest as EvidencePorts, () => writeFile(evidence, '{"version": 2}'));
    await assert.rejects(
      quoteSelection(ports, file.uri, passage(page.replace('\n', ' '), 'In Asia all emissions'), false),
      /version 2/,
    );
    assert.deepEqual(blocks, []);
  });

  it('says why no record can be kept of it, also where it can not be taken out of the document again', async () => {
    const { file, ...rest } = await portsWith(bytes);
    const evidence = join(home.path, 'reports', 'reports.evidence.json');
    const logged: string[] = [];
    const log = { error: (text: string) => void logged.push(text) } as unknown as Log;
    const place = await workedIn(rest as EvidencePorts).ports.insertionPlace('markdown');
    const insert = async () => {
      await writeFile(evidence, '{"version": 2}');
      return { show: async () => {}, undo: () => Promise.reject(new Error('The document is closed.')) };
    };
    const ports: EvidencePorts = { ...rest, log, insertionPlace: async () => place && { ...place, insert } };
    await assert.rejects(
      quoteSelection(ports, file.uri, passage(page.replace('\n', ' '), 'In Asia all emissions'), false),
      /version 2/,
    );
    assert.match(logged.join(), /The document is closed/);
  });

  it('is kept nowhere where it can not be inserted', async () => {
    const { file, ...rest } = await portsWith(bytes);
    const fail = async () => {
      throw new Error('read-only');
    };
    const { ports } = workedIn(rest as EvidencePorts, fail);
    await assert.rejects(
      quoteSelection(ports, file.uri, passage(page.replace('\n', ' '), 'In Asia all emissions'), false),
      /read-only/,
    );
    await assert.rejects(written(), /ENOENT/);
  });

  it('is kept nowhere where it can not be copied', async () => {
    const { file, ...rest } = await portsWith(bytes);
    const memory = { get: () => 'clipboard', keys: () => [], update: async () => undefined };
    const ports = { ...rest, memory } as unknown as EvidencePorts;
    const { writeText } = vscode.env.clipboard;
    const copy = () =>
      quoteSelection(ports, file.uri, passage(page.replace('\n', ' '), 'In Asia all emissions'), false);
    try {
      vscode.env.clipboard.writeText = async () => {
        throw new Error('no clipboard');
      };
      await assert.rejects(copy(), /no clipboard/);
      assert.deepEqual(await written(), []);
      const copied: string[] = [];
      vscode.env.clipboard.writeText = async (text) => void copied.push(text);
      await copy();
      assert.ok(copied[0]?.includes(`/evidence/${(await written())[0]?.id}`));
    } finally {
      vscode.env.clipboard.writeText = writeText;
    }
  });

  it('goes into no document in which its words could run', () => {
    for (const language of ['html', 'javascript', 'latex', 'vue', 'bat']) assert.equal(kindOfText(language), 'markup');
    for (const language of ['plaintext', 'csv']) assert.equal(kindOfText(language), 'plain');
    assert.deepEqual([kindOfText('quarto'), kindOfText('python')], ['markdown', 'python']);
    assert.throws(() => safely('markup'), /could run.*clipboard/);
  });

  it('is taken along in no form where its words could run, and kept nowhere', async () => {
    const { file, ...rest } = await portsWith(bytes);
    const { blocks, ports } = workedIn(rest as EvidencePorts);
    const insertionPlace: EvidencePorts['insertionPlace'] = async (kind) => {
      const place = await ports.insertionPlace(kind);
      return place && { ...place, as: 'markup' };
    };
    for (const form of ['markdown', 'code', 'footnote']) {
      const memory = { get: () => form, keys: () => [], update: async () => undefined };
      const quoted = quoteSelection(
        { ...ports, memory, insertionPlace },
        file.uri,
        passage(page.replace('\n', ' '), 'In Asia all emissions'),
        false,
      );
      await assert.rejects(quoted, /could run.*clipboard/);
    }
    assert.deepEqual(blocks, []);
    await assert.rejects(written(), /ENOENT/);
  });

  it('is not inserted again from a PDF that changed since', async () => {
    const { file, ...rest } = await portsWith(bytes);
    await addQuote(rest, { report_id: 1, page: 1, exact: page.slice(0, 40) });
    const [record] = await written();
    assert.ok(record);
    const { blocks, ports } = workedIn(rest as EvidencePorts);
    await insertAgain(ports, record.id, ports.insertionPlace);
    assert.equal(blocks.length, 1);
    await changeEvidence(file.root, (all) => ({
      ...all,
      records: all.records.map((one) => ({ ...one, sha256: 'b'.repeat(64) })),
    }));
    await assert.rejects(insertAgain(ports, record.id, ports.insertionPlace), /PDF changed since/);
    assert.equal(blocks.length, 1);
  });

  it('is accepted where it was found, and nowhere else', async () => {
    const ports = await portsWith(bytes);
    await addQuote(ports, { report_id: 1, page: 1, exact: page.slice(0, 40) });
    const [record] = await written();
    assert.ok(record);
    const pdf = { report_id: 1, sha256: sha256(bytes), path: ports.file.uri.fsPath };
    for (const state of ['ambiguous', 'gone', 'same', 'not-here'] as const)
      await acceptPlace(ports, { root: ports.file.root, record, state, page: 1, pdf });
    assert.deepEqual(await written(), [record]);
    await acceptPlace(ports, { root: ports.file.root, record, state: 'found', page: 1, pdf });
    assert.equal((await written())[0]?.former?.length, 1);
  });

  it('is known as a row only by its id and a folder of this window', async () => {
    const { root: plain } = (await portsWith(bytes)).file;
    const root = { ...plain, uri: Object.assign({}, plain.uri, { toString: () => 'file:///here' }) };
    const row = { root, record: { id: 'abcd1234' }, state: 'same' } as CheckedQuote;
    const elsewhere = { ...root, uri: { fsPath: '/elsewhere' }, isWorkspace: false };
    assert.equal(ownQuote([row], { ...row, root: { ...root, isWorkspace: false, folder: '..' } }), row);
    for (const given of [undefined, 'abcd1234', { ...row, root: elsewhere }, { ...row, record: { id: 'other' } }])
      assert.equal(ownQuote([row], given), undefined);
    assert.equal(ownQuote([row], JSON.parse(JSON.stringify(row))), undefined);
  });

  it('is the sentence around what a search found, and where it lies', async () => {
    const { file, ...rest } = await portsWith(bytes);
    const text = 'First of all. In Europe, Dr. Fell said, our emissions fell by 5.3 % in a year. Then more.';
    printed = text;
    const { blocks, ports } = workedIn(rest as EvidencePorts);
    const found = { sha256: file.row.sha256, page: 1, snippet: `…${text.slice(20)}`, marks: [[22, 31]] };
    assert.equal(found.snippet.slice(22, 31), text.slice(41, 50));
    await quoteHit(ports, { kind: 'hit', found });
    const [record] = await written();
    assert.match(record?.selector.exact ?? '', /our emissions fell by 5\.3 % in a year\.$/);
    assert.ok(!record?.selector.exact.includes('First'));
    assert.deepEqual(record?.regions, [
      { page: 1, label: 'i', rectangles: [[text.indexOf('Fell'), 2, text.indexOf(' Then'), 4]] },
    ]);
    assert.equal(blocks.length, 1);
    const far = { ...found, snippet: '…Europe, Dr. Fell … by 5.3 % in a year.…', marks: [[20, 25]] };
    assert.equal(far.snippet.slice(20, 25), 'by 5.');
    await quoteHit(ports, { kind: 'hit', found: far });
    assert.equal((await written())[1]?.selector.exact, record?.selector.exact);
    const gone = quoteHit(ports, { kind: 'hit', found: { ...far, snippet: far.snippet.replace('year', 'week') } });
    await assert.rejects(gone, /no longer exists/);
    await assert.rejects(quoteHit(ports, { kind: 'hitReport' }), /Choose a result/);
  });

  it('that was made in one workspace is the same in another that has the PDF elsewhere, and not here without it', async () => {
    const ports = await portsWith(bytes);
    await addQuote(ports, { report_id: 1, page: 1, exact: page.slice(0, 40) });
    const other = join(home.path, 'other');
    await mkdir(join(other, 'pdfs', 'deep'), { recursive: true });
    await cp(join(home.path, 'reports', 'reports.evidence.json'), join(other, 'pdfs', 'reports.evidence.json'));
    await writeFile(join(other, 'pdfs', 'deep', 'b.pdf'), bytes);
    const root = { uri: vscode.Uri.file(other), folder: 'pdfs', isWorkspace: true };
    const row = { ...ports.file.row, report_id: 77, path: 'deep/b.pdf' };
    const there: QuotedPdf = { root, row, uri: vscode.Uri.file(join(other, 'pdfs', 'deep', 'b.pdf')) };
    const checked = async (pdfs: readonly QuotedPdf[]) => {
      const downloads = async () => ({ roots: [root], localPdfs: async () => pdfs });
      return (await checkAll({ ...ports, downloads, report })).quotes.map(({ state }) => state);
    };
    // The library knows that a merge gave the report its other id.
    let report = async () => ({ report_id: 77 }) as Report | undefined;
    assert.deepEqual(await checked([there]), ['same']);
    assert.deepEqual(await checked([]), ['not-here']);
    report = async () => undefined;
    assert.deepEqual(await checked([there]), ['ambiguous']);
  });
});

describe('documents that quotes stand in', () => {
  it('are not looked for in a file that is gone by now, which keeps none of the others from being read', async () => {
    const gone = async () => {
      throw new Error('FileNotFound');
    };
    const stat = async () => ({ type: 1, ctime: 0, mtime: 0, size: 3 });
    const readFileBytes = async () => new TextEncoder().encode('abc');
    const uri = vscode.Uri.file('/w/a.md');
    assert.equal(await textOfFile(uri, { stat: gone, readFile: readFileBytes }), '');
    assert.equal(await textOfFile(uri, { stat, readFile: gone }), '');
    assert.equal(await textOfFile(uri, { stat, readFile: readFileBytes }), 'abc');
  });
});
