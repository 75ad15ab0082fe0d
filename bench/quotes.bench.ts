import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { root } from '../scripts/places.ts';
import { say } from '../scripts/progress.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { linesOf, type PlacedText } from '../src/base/placedText.ts';
import { seededRandom } from '../src/demo/random.ts';
import { type CheckedRecord, checkRecords } from '../src/evidence/check.ts';
import { quoteWords, requireDistinct } from '../src/evidence/quoted.ts';
import { type EvidenceRecord, formatEvidence, noEvidence, parseEvidence } from '../src/evidence/record.ts';
import { edgesOf } from '../src/text/edges.ts';
import { PdfReader } from '../src/text/extract.ts';
import { prepare } from '../src/text/pages.ts';
import { openPages } from '../src/text/pagesFile.ts';
import { type PageQuery, parseQuery } from '../src/text/query.ts';
import { findPages } from '../src/text/search.ts';
import type { ReadPdf } from '../src/text/textIndex.ts';
import { wordsOf } from '../src/text/words.ts';
import { verifyQuoteTool } from '../src/tools/readPages.ts';
import type { ToolPorts } from '../src/tools/tool.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';
import { corpora } from './pdfText.bench.ts';

const goal = { found: 1, unambiguous: 0.97, agreeing: 1 };
const quotesOfPdf = sizeOf('QUOTES_OF_PDF', 13);
/** In words, and of what is verified in characters. */
const [longestSelection, longestVerified] = [60, 2000];
const otherHash = 'f'.repeat(64);

type Pages = Extract<ReadPdf, { kind: 'read' }>['pages'];

/** How often something was so, and what was not. */
const counts = { read: 0, withoutText: 0, failed: 0, quotes: 0, refused: 0, found: 0, unambiguous: 0, agreeing: 0 };

/**
 * Quotes made of selections in the demo's PDFs, and in those of the folder that `REPORT_LIBRARY_PDFS` names: whether
 * Check Evidence finds them again, also in other bytes; and whether Find in PDFs and `verify_quote` agree with it.
 */
export async function run(): Promise<readonly BenchmarkResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'report-library-quotes-'));
  const script = join(root, 'src', 'text', 'reader.worker.ts');
  const reader = new PdfReader({ script, clock: systemClock, logger: silentLogger });
  try {
    const results: BenchmarkResult[] = [];
    for (const { name, paths } of await corpora(folder)) {
      for (const key of Object.keys(counts)) counts[key as keyof typeof counts] = 0;
      for (const path of paths) await quotesOf(reader, path);
      results.push(...resultsOf(name));
    }
    return results;
  } finally {
    reader.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultsOf(name: string): BenchmarkResult[] {
  const { read, withoutText, failed, quotes, refused } = counts;
  const what = `${quotes} quotes of ${read} PDFs (${name}; ${withoutText} without text, ${failed} unreadable, ${refused} selections refused)`;
  return (['found', 'unambiguous', 'agreeing'] as const).map((kind) => {
    const share = counts[kind] / quotes;
    const rows = [
      { peer: kind, p50: counts[kind], p95: counts[kind] },
      { peer: 'all', p50: quotes, p95: quotes },
    ];
    return {
      name: what,
      goal: `${kind} >= ${goal[kind]}`,
      unit: 'quotes',
      rows,
      ratio: round(share),
      met: share >= goal[kind],
    };
  });
}

async function quotesOf(reader: PdfReader, path: string): Promise<void> {
  const name = basename(path);
  const read = await reader.read(path);
  if (read.kind === 'failed') {
    counts.failed += 1;
    say(`${name}: ${read.reason}`);
  }
  if (read.kind === 'without-text') counts.withoutText += 1;
  if (read.kind !== 'read') return;
  counts.read += 1;
  const store = openPages({ path: ':memory:', sqlite, now: Date.now });
  const prepared = await prepare(read, () => undefined);
  store.db.transaction(() => store.keep(prepared, 1));
  const [pdf] = store.pdfs();
  if (!pdf) throw new Error('Nothing was kept.');
  const report = { report_id: 1, report_key: 'XTST_1_2024_SR', content_sha256: read.sha256 };
  const ports = {
    library: { report: () => ({ report, state: 'listed' }) },
    text: { store, pdfs: () => new Map([[read.sha256, { pdf, reports: [report] }]]) },
  } as unknown as ToolPorts;
  const random = seededRandom(pdf.bytes);
  const placed = new Map<number, PlacedText | null>();
  const records: EvidenceRecord[] = [];
  for (let at = 0; at < quotesOfPdf; at += 1) {
    const selected = selection(read.pages, random);
    if (!selected) continue;
    const { page, start, end } = selected;
    if (!placed.has(page)) placed.set(page, await reader.placedText({ path, sha256: read.sha256 }, page));
    const text = placed.get(page);
    if (text?.text !== read.pages[page - 1]?.text) say(`${name} p. ${page}: the index has another text.`);
    if (!text) continue;
    const words = quoteWords(text.text, start, end);
    try {
      requireDistinct(words, text.text);
    } catch {
      // The person is told why, and selects other words.
      counts.refused += 1;
      continue;
    }
    const rectangles = linesOf(text, start, end).map(({ box }) => box);
    records.push({
      ...{ id: `id-${at}`, kind: 'quote', report_id: 1, report_key: report.report_key, sha256: read.sha256 },
      selector: { type: 'TextQuoteSelector', ...words },
      regions: [{ page, label: read.pages[page - 1]?.label ?? null, rectangles }],
      ...{ note: '', created_at: '2026-01-01T00:00:00Z' },
    });
    const edges = edgesOf(text.text, start, end);
    const isCut = edges.before !== '' || edges.after !== '';
    const { text: answer } = await verifyQuoteTool.answer(
      { report: 1, page, quote: words.exact },
      async () => ports,
      new AbortController().signal,
    );
    const { verdict } = JSON.parse(answer);
    const { hits } = await findPages(store, queryOf(words.exact), [pdf], {
      limit: 10_000,
      cursor: null,
    });
    const isHit = hits.some((hit) => hit.page === page);
    // A number that the selection cuts short, as one without its unit, isn't verbatim.
    const agrees = isHit && isCut !== (verdict === 'verbatim') && rectangles.length > 0;
    if (agrees) counts.agreeing += 1;
    else
      say(
        `${name} p. ${page}: ${verdict}, ${isHit ? '' : 'no '}hit, cut ${JSON.stringify(edges)}: ${JSON.stringify(words)}`,
      );
  }
  counts.quotes += records.length;
  if (records.length === 0) return;
  const { records: kept } = parseEvidence(formatEvidence({ ...noEvidence, records }));
  const here = (sha256: string) => ({
    here: async () => [{ report_id: 1, sha256, path }],
    text: async () => ({ pages: read.pages }),
    presentId: async () => undefined,
  });
  const same = await checkRecords(kept, here(read.sha256), new AbortController().signal);
  const newer = await checkRecords(kept, here(otherHash), new AbortController().signal);
  for (const [at, { record, state }] of same.entries()) {
    const other = newer[at] as CheckedRecord;
    const isFound = state === 'same' && (other.state === 'found' || other.state === 'ambiguous');
    if (isFound) counts.found += 1;
    const isRight = other.state === 'found' && other.page === record.regions[0]?.page;
    if (isRight) counts.unambiguous += 1;
    if (!isFound || !isRight)
      say(`${name} p. ${record.regions[0]?.page}: ${state}, ${other.state}: ${JSON.stringify(record.selector)}`);
  }
}

/** A quote as a query, of as many of its words as a query may have. */
function queryOf(exact: string): PageQuery {
  const text = exact.replace(/["„“”‟«»「」『』]/gu, ',');
  const words = wordsOf(text);
  for (let count = Math.min(words.length, longestSelection); ; count >>= 1) {
    try {
      return parseQuery(`"${text.slice(0, words[count - 1]?.end)}"`);
    } catch (error) {
      if (count <= 1) throw error;
    }
  }
}

/** Scripts without blanks between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });

/** From and to of each word. */
function wordsIn(text: string): [start: number, end: number][] {
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
    if (!unspaced.test(word)) return [[index, index + word.length]];
    return [...segmenter.segment(word)].map((part): [number, number] => [
      index + part.index,
      index + part.index + part.segment.length,
    ]);
  });
}

/** Words in a row on one page, as a person selects them. */
function selection(pages: Pages, random: () => number) {
  const page = 1 + Math.floor(random() * pages.length);
  const words = wordsIn(pages[page - 1]?.text ?? '');
  const count = 1 + Math.floor(random() * longestSelection);
  const first = Math.floor(random() * Math.max(1, words.length - count + 1));
  const [start, end] = [words[first]?.[0], words[Math.min(first + count, words.length) - 1]?.[1]];
  const isSelection = start !== undefined && end !== undefined && end - start <= longestVerified;
  return isSelection ? { page, start, end } : undefined;
}
