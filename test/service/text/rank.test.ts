import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DemoReport } from '../../../src/demo/catalogue.ts';
import { createCatalogue } from '../../../src/demo/seed/catalogue.ts';
import { normalForm } from '../../../src/text/normalForm.ts';
import { prepare } from '../../../src/text/pages.ts';
import { compilePdfium, Pdfium } from '../../../src/text/pdfium.ts';
import { type CalledReport, rankPages } from '../../../src/text/rank.ts';
import { keep, openInMemory, sha } from '../../unit/text/support/texts.ts';

/** A question as a person asks it, and the page of the demo's report on which the answer stands. */
const questions = readFileSync(
  join(import.meta.dirname, '..', '..', 'unit', 'text', 'support', 'questions.tsv'),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [set = '', report = '', page = '', question = ''] = line.split('\t');
    return { set, report, page: Number(page), question };
  });

/** Reports of two years, of the kinds that are asked about: what tells them apart is what a question has to find. */
const isRead = ({ report_key: key, report_type: type, has_file }: DemoReport) =>
  has_file && /_202[23]_/.test(key) && /^(?:SR|AR1|AR2|IR|ESGD|TCFD|CLIM|GHGR|WATR|EMAS)$/.test(type);

/** The text of each page, as the reader's process makes it. */
function pagesOf(engine: Pdfium, bytes: Uint8Array) {
  const document = engine.open(bytes);
  const pages = Array.from({ length: document.pageCount }, (_, at) => {
    const { text } = document.page(at, 1_000_000, false);
    return { label: null, text: normalForm(text) };
  });
  document.close();
  return pages;
}

async function demoLibrary() {
  const catalogue = createCatalogue({ companies: 24, seed: 1 });
  const companies = new Map(catalogue.companies.map((company) => [company.company_key, company.company_name]));
  const wasm = join(dirname(createRequire(import.meta.url).resolve('@embedpdf/pdfium')), 'pdfium.wasm');
  const engine = await Pdfium.start(compilePdfium(readFileSync(wasm)), 512 * 2 ** 20);
  const store = openInMemory();
  const hashes = new Map<string, string>();
  const reports: CalledReport[] = [];
  for (const report of catalogue.reports.filter(isRead)) {
    const { bytes, sha256 } = await catalogue.pdf(report);
    const pages = pagesOf(engine, bytes);
    const read = { kind: 'read', sha256, bytes: bytes.length, pages, damaged: [], left: 0 } as const;
    const prepared = await prepare(read, () => undefined);
    store.db.transaction(() => store.keep(prepared, 1));
    hashes.set(report.report_key, sha256);
    const years = [report.report_year, Number(/_(20\d\d)_/.exec(report.report_key)?.[1])];
    const company = companies.get(report.company_key) ?? '';
    reports.push({ sha256, company, years });
  }
  return { store, hashes, reports };
}

describe('Finding the page that answers a question', () => {
  it('has it among the first ten for most of 107 questions over the demo’s reports', async function () {
    this.timeout(120_000);
    const { store, hashes, reports } = await demoLibrary();
    const all = store.pdfs();
    const share = async (isKnown: boolean, set: string) => {
      const asked = questions.filter((question) => question.set === set);
      let found = 0;
      for (const { question, report, page } of asked) {
        const sha256 = hashes.get(report);
        assert.ok(sha256, report);
        const pdfs = isKnown ? all.filter((pdf) => pdf.sha256 === sha256) : all;
        const hits = await rankPages(store, question, { pdfs, reports, limit: 10 });
        if (hits.some((hit) => hit.sha256 === sha256 && hit.page === page)) found += 1;
      }
      return found / asked.length;
    };
    assert.equal(questions.length, 107);
    // The goals are 0.8 and 0.5; what was reached is held, so that a worse ranking shows. `held` was not tuned on.
    for (const set of ['tune', 'held']) {
      assert.ok((await share(true, set)) >= 0.95, `report known, ${set}`);
      assert.ok((await share(false, set)) >= 0.9, `over all, ${set}`);
    }
    store.close();
  });
});

describe('Ranking pages', () => {
  const first = async (texts: readonly string[], question: string) => {
    const store = openInMemory();
    await keep(store, sha(1), 1, texts);
    const hits = await rankPages(store, question, { pdfs: store.pdfs(), reports: [], limit: 10 });
    store.close();
    return hits.map(({ page }) => page);
  };
  const filler = 'Our company has a long history and many sites in several countries.';

  it('knows other names of a thing, in other languages too, and codes of standards', async () => {
    const texts = [filler, 'Die Belegschaft umfasste 4 310 Personen.', 'Scope 1: 20 t', filler];
    assert.deepEqual(await first(texts, 'How many employees are there?'), [2]);
    assert.deepEqual(await first(texts, 'What does it say on ESRS S1-6?'), [2]);
    assert.deepEqual(await first(texts, 'GRI 305-1'), [3]);
  });

  it('puts the page with most of what is asked for first', async () => {
    const some = `${filler} Water is scarce here. ${filler}`;
    assert.deepEqual(await first([some, `${filler} Water of suppliers is audited.`], 'water suppliers'), [2, 1]);
  });

  it('puts contents and indexes after what they point to', async () => {
    const contents = 'Contents Waste . . . . . . . . . 3 Water . . . . . . . . . 4 Energy . . . . . . . . . 5';
    assert.deepEqual(
      await first([contents, `${filler} Energy, waste and water: 5 tonnes.`], 'waste water energy'),
      [2, 1],
    );
  });

  it('leads a question that names a company and a year to its report, and never to a PDF that is not given', async () => {
    const store = openInMemory();
    const text = 'Revenue rose to 120 million.';
    for (const at of [1, 2, 3, 4]) await keep(store, sha(at), 1, [text]);
    const named = (at: number, company: string, year: number) => ({
      ...{ sha256: sha(at), company, years: [year] },
    });
    const reports = [
      ...[named(1, 'Orlestone Minerals Limited', 2022), named(2, 'Orlestone Banking Group plc', 2022)],
      ...[named(3, 'Orlestone Banking Group plc', 2023), named(4, 'Water Works plc', 2023)],
    ];
    const pdfs = store.pdfs();
    const best = async (question: string, given = pdfs) =>
      (await rankPages(store, question, { pdfs: given, reports, limit: 1 }))[0]?.sha256;
    assert.equal(await best('Revenue of Orlestone Banking in 2023?'), sha(3));
    assert.equal(await best('turnover orlestone minerals'), sha(1));
    const others = pdfs.filter(({ sha256 }) => sha256 !== sha(3));
    assert.equal(await best('Revenue of Orlestone Banking in 2023?', others), sha(2));
    assert.equal(await best('Revenue of Orlestone Banking in 2023?', []), undefined);
    store.close();
  });

  it('finds nothing for a question that asks for nothing, and takes any text', async () => {
    for (const text of ['', 'what is it?', '"', '*', 'NEAR(', '環境', '\u0000', 'x'.repeat(5000)]) {
      assert.deepEqual(await first([filler], text), []);
    }
    assert.deepEqual(await first([filler, '環境報告書'], '環境報告'), [2]);
  });

  it('ends when it is cancelled', async () => {
    const store = openInMemory();
    const signal = AbortSignal.abort(new Error('enough'));
    const ended = () => {
      const pdfs = store.pdfs();
      return assert.rejects(rankPages(store, 'history of sites', { pdfs, reports: [], limit: 1, signal }), /enough/);
    };
    await keep(store, sha(1), 1, [filler]);
    await ended();
    // So many are asked all at once.
    for (let at = 2; at <= 30; at++) await keep(store, sha(at), 1, [filler]);
    await ended();
    store.close();
  });
});
