import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { PdfReader } from '../../../src/text/extract.ts';
import { parseQuery } from '../../../src/text/query.ts';
import { findPages } from '../../../src/text/search.ts';
import { catalogOf } from '../../support/demo/generated.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { smallPdf } from '../../support/text/smallPdf.ts';
import { keep, openInMemory, pdfReader, sha } from '../../unit/text/support/texts.ts';

const script = join(import.meta.dirname, '..', '..', '..', 'src', 'text', 'reader.worker.ts');
const catalog = catalogOf(40);
const demoPdf = async (key: string) => {
  const report = catalog.reports.find(({ report_key }) => report_key === key);
  assert.ok(report, key);
  return catalog.pdf(report);
};

describe('Reading PDFs in a process of its own', () => {
  const pdfs = pdfReader();
  const place = (name: string, bytes: Uint8Array | string) => pdfs.put(bytes, name);

  it('gives each page with its printed label, in the normal form', async () => {
    const { bytes, pages, sha256 } = await demoPdf('XETR_ALBM_2023_AR2');
    const read = await pdfs.reader.read(await place('german.pdf', bytes));
    assert.equal(read.kind, 'read');
    assert.ok(read.kind === 'read');
    assert.deepEqual([read.sha256, read.bytes, read.pages.length], [sha256, bytes.length, pages]);
    assert.deepEqual([read.damaged, read.left], [[], 0]);
    assert.deepEqual(
      read.pages.slice(0, 5).map(({ label }) => label),
      ['i', 'ii', 'iii', '1', '2'],
    );
    assert.match(
      read.pages[3]?.text ?? '',
      /^Geschäftsverlauf Altenbruch .* die Lieferzeiten normalisierten sich erst im zweiten Halbjahr\./,
    );
    assert.ok(read.pages.every(({ text }) => !/[\n\r]/.test(text)));
  });

  it('gives Japanese and Chinese pages that are found by their words, also over the end of a line', async () => {
    const pages = [
      ['Emissions of scope 3 were reduced.'],
      ['当社は温室効果ガス排出', '量の削減目標を設定しています。'],
      ['公司致力于减少温室气体', '排放，并披露范围三数据。'],
    ];
    const read = await pdfs.reader.read(await place('two scripts.pdf', smallPdf({ pages })));
    assert.ok(read.kind === 'read');
    const store = openInMemory();
    const texts = read.pages.map(({ text }) => text);
    await keep(store, sha(1), 1, texts);
    const wanted = store.pdfs();
    const found = async (query: string) => {
      const { hits } = await findPages(store, parseQuery(query), wanted, { limit: 9, cursor: null });
      return hits.map(({ page, snippet, marks }) => [page, ...marks.map(([from, to]) => snippet.slice(from, to))]);
    };
    assert.deepEqual(await found('温室'), [
      [2, '温室'],
      [3, '温室'],
    ]);
    assert.deepEqual(await found('ガス排出量'), [[2, 'ガス排出量']]);
    assert.deepEqual(await found('“气体排放”'), [[3, '气体排放']]);
    assert.deepEqual(await found('範囲'), []);
    assert.deepEqual(await found('scope 3'), [[1, 'scope', '3']]);
    store.close();
  });

  it('says so of scans, of files that are no PDF, and of what can’t be opened', async () => {
    const scan = await demoPdf('XNSE_SURYAGIRI_2016_AR1');
    assert.deepEqual(await pdfs.reader.read(await place('scan.pdf', scan.bytes)), {
      kind: 'without-text',
      sha256: scan.sha256,
      bytes: scan.bytes.length,
      pages: scan.pages,
      unreadable: [],
      attachments: [],
    });
    const sha256 = createHash('sha256').update('Not found').digest('hex');
    assert.deepEqual(await pdfs.reader.read(await place('page.pdf', 'Not found')), {
      kind: 'failed',
      sha256,
      reason: 'not-a-pdf',
    });
    const empty = createHash('sha256').digest('hex');
    assert.deepEqual(await pdfs.reader.read(await place('empty.pdf', '')), {
      kind: 'failed',
      sha256: empty,
      reason: 'empty',
    });
    const folder = dirname(await place('there.pdf', ''));
    for (const path of [folder, join(folder, 'missing.pdf')])
      assert.deepEqual(await pdfs.reader.read(path), { kind: 'failed', sha256: null, reason: 'unreadable-file' });
  });

  it('finds words whole in whatever script, and printed labels of all kinds', async () => {
    const visual = (text: string) => Array.from(text).reverse().join('');
    const bytes = smallPdf({
      labels: '0 << /S /r /St 4 >> 1 << /S /D /P (A-) /St 12 >> 4 << /P <FEFF202E0007> >>',
      pages: [
        ['The ﬁnancial eﬀect of sustain-', 'ability and CO₂ emis\u00AD', 'sions', 'ＳＣＯＰＥ　３ and COVID-', '19'],
        ['温室効果ガスの排出', '量を削減する', '한국어 보고서'],
        [visual('انبعاثات الغازات الدفيئة'), visual('דוחות קיימות')],
        ['a\u202Eb\u2066c \uE000x \u200B<b>[t](command:x)', 'Umwelt-', 'und Sozialstandards'],
        ['Last'],
      ],
    });
    const told: (readonly number[])[] = [];
    const onPages = (pages: number, of: number) => told.push([pages, of]);
    const read = await pdfs.reader.read(await place('scripts.pdf', bytes), { onPages });
    assert.ok(read.kind === 'read');
    assert.deepEqual(told.at(-1), [5, 5]);
    assert.deepEqual(read.pages, [
      { label: 'iv', text: 'The financial effect of sustainability and CO2 emissions SCOPE 3 and COVID-19' },
      { label: 'A-12', text: '温室効果ガスの排出量を削減する 한국어 보고서' },
      { label: 'A-13', text: 'انبعاثات الغازات الدفيئة דוחות קיימות' },
      { label: 'A-14', text: 'abc x <b>[t](command:x) Umwelt- und Sozialstandards' },
      { label: null, text: 'Last' },
    ]);
  });

  it('outlives a reader that takes all memory, loops, dies or speaks nonsense', async () => {
    const path = await place('healthy.pdf', (await demoPdf('XPAR_VMIS_2022_AR2')).bytes);
    const watch = pathToFileURL(join(script, '..', 'readerWatch.worker.ts')).href;
    const answer = (result: string) =>
      `process.on('message', ({ id }) => process.send({ kind: 'result', id, result: { answer: ${result}, spent: false } }))`;
    const watched = (work: string, seconds = 0.1) => `import { Worker } from 'node:worker_threads';
      const shared = new SharedArrayBuffer(8);
      const workerData = { shared, memory: 3e8, fileTime: ${3 * seconds}, pageTime: ${seconds} };
      new Worker(new URL('${watch}'), { workerData });
      const progress = new Int32Array(shared);
      let kept;
      process.on('message', () => { progress[1] = 2; progress[0] = 1; ${work} });`;
    const faults = {
      greedy: watched('kept = Buffer.alloc(5e8, 1);', 100),
      looping: watched('for (;;) kept = performance.now();'),
      dying: "process.on('message', () => process.exit(3))",
      absent: "throw new Error('It does not even start.')",
      lying: answer("{ kind: 'read', sha256: 'none', bytes: -1, damaged: [], left: 0 }"),
      contradicting: answer(`{ kind: 'read', sha256: '${'a'.repeat(64)}', bytes: 1, damaged: [7], left: 0 }`),
    };
    for (const [fault, code] of Object.entries(faults)) {
      const own = await place(`${fault}.mjs`, code);
      const broken = new PdfReader({ script: own, clock: systemClock, logger: silentLogger });
      const reason = { greedy: 'too-much-memory', looping: 'too-slow' }[fault] ?? 'reader-died';
      assert.deepEqual(await broken.read(path), { kind: 'failed', sha256: null, reason }, fault);
      broken.dispose();
    }
  });

  it('stops when told to, leaves unwanted bytes unread, and reads the next one', async () => {
    const { bytes, sha256 } = await demoPdf('XPAR_VMIS_2022_AR2');
    const path = await place('next.pdf', bytes);
    const onPages = () => assert.fail('It was read.');
    const unwanted = await pdfs.reader.read(path, { isWanted: (found) => found !== sha256, onPages });
    assert.deepEqual(unwanted, { kind: 'failed', sha256, reason: 'changed' });
    const controller = new AbortController();
    const cancelled = pdfs.reader.read(path, { signal: controller.signal });
    const next = pdfs.reader.read(path);
    controller.abort();
    await assert.rejects(cancelled, { name: 'AbortError' });
    assert.equal((await next).kind, 'read');
  });

  it('ends one that takes too long, and the process when it is idle', async () => {
    const clock = new FakeClock();
    const ends: string[] = [];
    const log = { ...silentLogger, debug: (message: string) => ends.push(message) };
    const own = new PdfReader({ script, clock, logger: log });
    const path = await place('slow.pdf', (await demoPdf('XPAR_VMIS_2022_AR2')).bytes);
    const slow = own.read(path);
    await clock.untilSleeping((ms) => ms === 120_000);
    await clock.advance(121_000);
    assert.deepEqual(await slow, { kind: 'failed', sha256: null, reason: 'too-slow' });
    assert.equal((await own.read(path)).kind, 'read');
    assert.equal(ends.length, 1);
    await clock.untilSleeping((ms) => ms === 15_000);
    await clock.advance(15_000);
    assert.equal((await own.read(path)).kind, 'read');
    assert.equal(ends.length, 2);
    own.dispose();
    await assert.rejects(own.read(path), { name: 'AbortError' });
  });
});
