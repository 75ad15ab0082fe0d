import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isObject } from '../../base/json.ts';
import { linesOf } from '../../base/placedText.ts';
import { countText } from '../../base/words.ts';
import type { QuoteWords } from '../../evidence/anchor.ts';
import { quotesOnPage, quoteWords, requireDistinct, runAround, sentenceAround } from '../../evidence/quoted.ts';
import { type EvidenceRecord, longestContext, longestQuote, type Region } from '../../evidence/record.ts';
import { cellForm } from '../../evidence/tableForms.ts';
import type { CopiedTable, Passage } from '../../protocol/pdfPreview.ts';
import { firstMarked } from '../../text/snippet.ts';
import { showProblem } from '../common/messages.ts';
import { withCancellableProgress } from '../common/progress.ts';
import { quotesMime } from '../common/treeDrag.ts';
import type { EvidencePorts, QuotedPdf } from './context.ts';
import { pdfOfRecord, recordOfId } from './openEvidence.ts';
import {
  type HowTaken,
  keepRecord,
  type PlaceFor,
  quotes,
  recordOf,
  sameBytes,
  tables,
  take,
  takeAgain,
} from './take.ts';

/** A part of a PDF that is to be quoted. */
interface Quoted {
  readonly words: QuoteWords;
  readonly regions: readonly Region[];
}

/**
 * Quotes what a person selected in the preview: into what they work in, and as a record beside the lock file.
 * @param mayPick a form is picked first; else the one used last
 * @returns what was done, in words; null when the person left
 */
export async function quoteSelection(
  ports: EvidencePorts,
  file: vscode.Uri,
  { text, start, end, regions }: Passage,
  mayPick: boolean,
): Promise<string | null> {
  const words = quoteWords(text, start, end);
  requireDistinct(words, text);
  const pdf = await pdfAt(ports, file);
  await requireOnPages(ports, pdf, { text, regions });
  return takeQuote(ports, pdf, { words, regions }, { mayPick });
}

/**
 * Copies a table that a person confirmed in the preview: into what they work in, or to the clipboard, and as a record
 * beside the lock file, which is a quote of the table's region. Cells are kept in the one form of all text of PDFs.
 * @param mayPick a form is picked first; else the one used last
 * @returns what was done, in words; null when the person left
 * @throws Error with words for a person
 */
export async function copyTable(
  ports: EvidencePorts,
  file: vscode.Uri,
  { passage: { text, start, end, regions }, columns, rows, cells: printed, style, toCheck }: CopiedTable,
  mayPick: boolean,
): Promise<string | null> {
  const words = quoteWords(text, start, end);
  if (words.exact.length > longestQuote)
    throw new Error(vscode.l10n.t('This table is too large. Select a part of it.'));
  const cells = printed.map((row) => row.map((cell) => cellForm(cell).slice(0, longestQuote)));
  if (cells.flat().every((cell) => cell === ''))
    throw new Error(vscode.l10n.t('This table has no text. Choose another area.'));
  const size = `${cells.length} × ${columns.length - 1}`;
  const checks = vscode.l10n.t('Cells to check: {0}', countText(toCheck));
  const pdf = await pdfAt(ports, file);
  await requireOnPages(ports, pdf, { text, regions });
  const table = recordedAs('table', { words, regions: regions.map((region) => ({ ...region, columns, rows, cells })) });
  return take(ports, tables(style), pdf, table, {
    mayPick,
    isLasting: toCheck > 0,
    done(document) {
      const done =
        document === undefined
          ? vscode.l10n.t('Table copied: {0} cells', size)
          : vscode.l10n.t('Table inserted into {0}: {1} cells', document, size);
      return toCheck > 0 ? `${done} · ${checks}` : done;
    },
  });
}

/** Keeps out what is not printed on these pages, whatever shows them. @throws Error with words for a person */
async function requireOnPages(
  ports: EvidencePorts,
  pdf: QuotedPdf,
  { text, regions }: Pick<Passage, 'text' | 'regions'>,
): Promise<void> {
  const parts = text.split('\n');
  for (const [index, { page }] of regions.entries()) {
    const placed = await ports.placedText(pdfOf(pdf), page);
    // Changed bytes are reported as changed.
    if (!placed) await sameBytes(pdf);
    if (parts.length !== regions.length || !placed?.text.includes(parts[index] ?? '')) throw new Error(notOnPage(page));
  }
}

const hitSchema = z.object({
  kind: z.literal('hit'),
  found: z.object({
    sha256: z.string(),
    page: z.int(),
    snippet: z.string(),
    marks: z.array(z.tuple([z.number(), z.number()])),
  }),
});

/**
 * Quotes the sentence around what a search found first on a page.
 * @param dropped where, instead of in what the person works in or on the clipboard
 * @throws Error with words for a person
 */
export async function quoteHit(ports: EvidencePorts, node: unknown, dropped?: PlaceFor): Promise<string | null> {
  const hit = hitSchema.safeParse(node).data?.found;
  if (!hit) throw new Error(vscode.l10n.t('Choose a result of Find in PDFs to quote.'));
  const [pdf] = await (await ports.downloads()).localPdfs(({ row }) => row.sha256 === hit.sha256);
  if (!pdf) throw new Error(notDownloaded());
  const quoted = await withCancellableProgress(vscode.l10n.t('Reading the PDF'), async (signal): Promise<Quoted> => {
    const placed = await ports.placedText(pdfOf(pdf), hit.page, signal);
    const found = placed && firstMarked(placed.text, hit);
    if (!found) throw new Error(vscode.l10n.t('This result no longer exists. Search again.'));
    const sentence = sentenceAround(placed.text, ...found);
    const [start, end] = runAround(placed.text, sentence, found, linesOf(placed, ...sentence));
    const words = quoteWords(placed.text, start, end);
    requireDistinct(words, placed.text);
    const rectangles = linesOf(placed, start, end).map(({ box }) => box);
    return { words, regions: [{ page: hit.page, label: placed.label, rectangles }] };
  });
  return takeQuote(ports, pdf, quoted, { mayPick: false, dropped });
}

function takeQuote(
  ports: EvidencePorts,
  pdf: QuotedPdf,
  quoted: Quoted,
  how: Pick<HowTaken, 'mayPick' | 'dropped'>,
): Promise<string | null> {
  const done = (document: string | undefined) =>
    document === undefined ? vscode.l10n.t('Quote copied') : vscode.l10n.t('Quote inserted into {0}', document);
  return take(ports, quotes, pdf, recordedAs('quote', quoted), { ...how, done });
}

function recordedAs(kind: EvidenceRecord['kind'], { words, regions }: Quoted) {
  return { kind, selector: { type: 'TextQuoteSelector' as const, ...words }, regions: [...regions] };
}

const quoteSchema = z.strictObject({
  report_id: z.int().check(z.positive()),
  page: z.int().check(z.gte(1), z.lte(1_000_000)),
  exact: z.string().check(z.minLength(1), z.maxLength(longestQuote)),
  prefix: z.optional(z.string().check(z.maxLength(longestContext))),
  suffix: z.optional(z.string().check(z.maxLength(longestContext))),
});

/**
 * Records a quote that a program gives, and inserts nothing. The words have to stand on that page.
 * @throws Error with words for a person
 */
export async function addQuote(ports: EvidencePorts, given: unknown): Promise<{ readonly id: string }> {
  const { data: asked } = quoteSchema.safeParse(given);
  if (!asked) throw new Error('A quote needs {report_id, page, exact, prefix?, suffix?}.');
  const [pdf] = await (await ports.downloads()).localPdfs(({ row }) => row.report_id === asked.report_id);
  if (!pdf) throw new Error(vscode.l10n.t('The PDF of this report is not in this workspace. Download it first.'));
  return withCancellableProgress(vscode.l10n.t('Adding a quote'), async (signal) => {
    await sameBytes(pdf, signal);
    const { text, label } = await pageOf(ports, pdf, asked.page, signal);
    // As printed, with `m³` where `m3` was asked for.
    const [words] = quotesOnPage(text, asked);
    if (!words) throw new Error(notOnPage(asked.page));
    requireDistinct(words, text, asked, 'program');
    const rectangles = await ports.rectangles(pdfOf(pdf), { page: asked.page, ...words }, signal);
    const record = await recordOf(
      pdf,
      recordedAs('quote', { words, regions: [{ page: asked.page, label, rectangles }] }),
    );
    signal.throwIfAborted();
    await keepRecord(pdf, record);
    return { id: record.id };
  });
}

const notOnPage = (page: number) => vscode.l10n.t('These words are not on page {0} of this PDF.', page);

/** A page's text. @throws Error with words for a person when there is none */
async function pageOf(ports: EvidencePorts, pdf: QuotedPdf, number: number, signal: AbortSignal) {
  const read = await ports.text(pdfOf(pdf), signal);
  if ('reason' in read) throw new Error(read.reason);
  const page = read.pages[number - 1];
  if (!page) throw new Error(notOnPage(number));
  return page;
}

/** A PDF by the hash that the lock names. */
export function pdfOf({ row, uri }: QuotedPdf) {
  return { report_id: row.report_id, sha256: row.sha256, path: uri.fsPath };
}

const notDownloaded = () =>
  vscode.l10n.t('This PDF isn’t one that was downloaded into this workspace. Download it here first, then try again.');

/** @throws Error when the file is no PDF of this workspace's downloads */
export async function pdfAt(ports: EvidencePorts, file: vscode.Uri): Promise<QuotedPdf> {
  const pdfs = await (await ports.downloads()).localPdfs(
    ({ root, row }) => vscode.Uri.joinPath(root.uri, root.folder, row.path).fsPath === file.fsPath,
  );
  if (!pdfs[0]) throw new Error(notDownloaded());
  return pdfs[0];
}

/**
 * Inserts what was dropped: the sentence of a search result, as a new quote; or the quote or table of an evidence row.
 * @returns an edit without text, since the quote is inserted here; no edit for other things
 */
export async function dropQuotes(
  ports: EvidencePorts,
  document: vscode.TextDocument,
  position: vscode.Position,
  transfer: vscode.DataTransfer,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentDropEdit[]> {
  const quotes = quotesIn(await transfer.get(quotesMime)?.asString());
  // A drag of reports names this type too, and an edit without text would take the place of theirs.
  if (quotes.length === 0) return [];
  const placeFor: PlaceFor = (kind) => ports.placeAt(document, position, kind);
  try {
    // Each goes directly below the line, so the last one goes first.
    for (const one of quotes.toReversed()) {
      if (token.isCancellationRequested) break;
      if (isObject(one) && typeof one.id === 'string') await insertAgain(ports, one.id, placeFor);
      else await quoteHit(ports, one, placeFor);
    }
  } catch (error) {
    showProblem(error, ports.log);
  }
  const kind = vscode.DocumentDropOrPasteEditKind.Empty.append('reportLibrary', 'quote');
  return [new vscode.DocumentDropEdit('', vscode.l10n.t('Quote'), kind)];
}

function quotesIn(dropped = '[]'): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(dropped);
    return Array.isArray(list) ? list : [];
  } catch {
    // Any extension may drag something under our type.
    return [];
  }
}

/** Inserts what a record is of, whose link leads to that record. @throws Error with words for a person */
export async function insertAgain(ports: EvidencePorts, id: string, placeFor: PlaceFor): Promise<void> {
  const record = await recordOfId(ports, id);
  await takeAgain(ports, await pdfOfRecord(ports, record), record, placeFor);
}
