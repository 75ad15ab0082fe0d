import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { plainText } from '../../base/words.ts';
import { type CitedReport, citedReport } from '../../citation/citation.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import { type QuoteWords, timesIn } from '../../evidence/anchor.ts';
import {
  type QuotedPassage,
  type QuoteForm,
  quoteCode,
  quoteCsl,
  quoteFootnote,
  quoteForms,
  quoteMarkdown,
  quotePlain,
} from '../../evidence/forms.ts';
import { requireDistinct, runAround, sentenceAround, wordsOf, wordsOnPage } from '../../evidence/quoted.ts';
import { type EvidenceRecord, longestContext, longestQuote, type Region } from '../../evidence/record.ts';
import type { Passage } from '../../protocol/pdfPreview.ts';
import { normalForm } from '../../text/normalForm.ts';
import type { InsertionKind, InsertionPlace } from '../common/insertion.ts';
import { notificationText, showProblem, withCancellableProgress } from '../common/messages.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import { changeEvidence, hashOf, removeRecords } from './evidenceFiles.ts';
import { editNote } from './note.ts';
import type { EvidencePorts, QuotedPdf } from './ports.ts';

const memoryKey = 'evidence.quoteForm';

const forms: readonly (vscode.QuickPickItem & { readonly form: QuoteForm })[] = [
  { form: 'markdown', label: vscode.l10n.t('Quote with Source'), description: 'Markdown' },
  { form: 'code', label: vscode.l10n.t('Code'), description: vscode.l10n.t('the quote and its source as values') },
  { form: 'footnote', label: vscode.l10n.t('Footnote'), description: 'Markdown' },
  { form: 'csl-json', label: 'CSL-JSON', description: vscode.l10n.t('to the clipboard, with the page') },
  { form: 'clipboard', label: vscode.l10n.t('Clipboard'), description: 'Markdown' },
];

/** Where a quote goes; undefined when the person leaves. */
export type PlaceFor = (kind: InsertionKind) => Promise<InsertionPlace | undefined>;

/** A part of a PDF that is to be quoted. */
interface Quoted {
  readonly pdf: QuotedPdf;
  readonly words: QuoteWords;
  readonly regions: readonly Region[];
}

/**
 * Quotes what a person selected in the preview: into what they work in, and as a record beside the lock file.
 * @param mayPick a form is picked first; else the one used last
 * @param dropped where, instead of in what the person works in or on the clipboard
 * @returns what was done, in words; null when the person left
 */
export async function quoteSelection(
  ports: EvidencePorts,
  file: vscode.Uri,
  { text, start, end, regions }: Passage,
  mayPick: boolean,
  dropped?: PlaceFor,
): Promise<string | null> {
  const words = wordsOf(text, start, end);
  requireDistinct(words, text);
  return insertQuote(ports, { pdf: await pdfAt(ports, file), words, regions }, mayPick, dropped);
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
  const quoted = await withCancellableProgress(vscode.l10n.t('Reading the page'), async (signal): Promise<Quoted> => {
    const { text, label } = await pageOf(ports, pdf, hit.page, signal);
    const shown = hit.snippet.replace(/^…|…$/g, '');
    const at = text.indexOf(shown);
    const [start, end] = hit.marks[0] ?? [0, 0];
    const begin = Math.max(0, at) + start - (hit.snippet.startsWith('…') ? 1 : 0);
    if (at === -1) throw new Error(vscode.l10n.t('This result is no longer there. Search again.'));
    const found = [begin, begin + end - start] as const;
    const sentence = sentenceAround(text, ...found);
    const lines = await ports.lines(pdfOf(pdf), { page: hit.page, ...wordsOf(text, ...sentence) }, signal);
    const words = wordsOf(text, ...runAround(text, sentence, found, lines));
    requireDistinct(words, text);
    const rectangles = await ports.rectangles(pdfOf(pdf), { page: hit.page, ...words }, signal);
    return { pdf, words, regions: [{ page: hit.page, label, rectangles }] };
  });
  return insertQuote(ports, quoted, false, dropped);
}

async function insertQuote(
  ports: EvidencePorts,
  quoted: Quoted,
  mayPick: boolean,
  dropped?: PlaceFor,
): Promise<string | null> {
  const last = lastForm(ports);
  const options = { title: vscode.l10n.t('Quote As'), placeHolder: vscode.l10n.t('Choose a form') };
  const form = mayPick ? (await pickForm(forms, last, options))?.form : last;
  if (form === undefined) return null;
  const isCopied = !dropped && (form === 'csl-json' || form === 'clipboard');
  const place = isCopied ? undefined : await (dropped ?? ports.insertionPlace)(kindOf(form));
  if (!isCopied && !place) return null;
  const { pdf } = quoted;
  const record = await newRecord(quoted);
  const passage = await passageOf(ports, pdf, record, place);
  await ports.memory.update(memoryKey, form);
  if (!place) {
    await copyWithRecord(pdf, record, form === 'csl-json' ? quoteCsl(passage) : quoteMarkdown(passage));
    const copied = vscode.l10n.t('Quote copied');
    vscode.window.setStatusBarMessage(copied, 3_000);
    return copied;
  }
  const done = vscode.l10n.t('Quote inserted into {0}', documentName(place));
  return insertWithRecord(ports, { pdf, record }, { place, text: textOf(passage, form, place.as) }, done);
}

/** The form of quotes that was used last. */
export function lastForm({ memory }: EvidencePorts): QuoteForm {
  return quoteForms.find((form) => form === memory.get(memoryKey)) ?? 'markdown';
}

export const kindOf = (form: QuoteForm) => (form === 'code' ? 'code' : 'markdown');

/**
 * Inserts a text and keeps the record that its link leads to: neither is there without the other.
 * @param done what is told then, and given back
 */
export async function insertWithRecord(
  ports: EvidencePorts,
  { pdf, record }: { readonly pdf: QuotedPdf; readonly record: EvidenceRecord },
  { place, text }: { readonly place: InsertionPlace; readonly text: string },
  done: string,
): Promise<string> {
  const takeBack = await place.insert(text);
  try {
    await keepRecord(pdf, record);
  } catch (error) {
    await takeBack();
    throw error;
  }
  void offerMore(ports, done, takeBack, { root: pdf.root, record });
  return done;
}

/** The document that something went into, as a person knows it. */
export function documentName({ document }: InsertionPlace): string {
  return plainText(vscode.workspace.asRelativePath(document).split('/').at(-1) ?? '');
}

export function textOf(quote: QuotedPassage, form: QuoteForm, as: InsertionPlace['as']): string {
  if (as === 'markup') throw new Error(mayRun());
  if (as === 'plain') return quotePlain(quote);
  if (as !== 'markdown') return quoteCode(quote, as);
  if (form === 'code') return `\`\`\`python\n${quoteCode(quote, 'python')}\`\`\``;
  return form === 'footnote' ? quoteFootnote(quote) : quoteMarkdown(quote);
}

export const mayRun = () =>
  vscode.l10n.t(
    'Text of a PDF could run in this kind of document. Copy it to the clipboard, or work in Markdown, plain text or a notebook.',
  );

/**
 * Tells what was done, and takes a note, or all of it back, if a person likes.
 * @param kept the record that goes with it
 */
export async function offerMore(
  { log }: EvidencePorts,
  done: string,
  takeBack: () => Promise<boolean>,
  kept?: { readonly root: QuotedPdf['root']; readonly record: EvidenceRecord },
): Promise<void> {
  try {
    const [note, undo] = [vscode.l10n.t('Note…'), vscode.l10n.t('Undo')];
    const offered = kept ? [note, undo] : [undo];
    const choice = await vscode.window.showInformationMessage(notificationText(done), ...offered);
    if (kept && choice === note) await editNote(kept);
    if (choice !== undo) return;
    if (!(await takeBack())) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This was changed since it was inserted, so it stays.'));
      return;
    }
    if (kept) await removeRecords(kept.root, [kept.record.id]);
  } catch (error) {
    showProblem(error, log);
  }
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
  if (!asked) throw new Error(vscode.l10n.t('A quote needs {0}.', '{report_id, page, exact, prefix?, suffix?}'));
  const [pdf] = await (await ports.downloads()).localPdfs(({ row }) => row.report_id === asked.report_id);
  if (!pdf) throw new Error(vscode.l10n.t('The PDF of this report is not in this workspace. Download it first.'));
  return withCancellableProgress(vscode.l10n.t('Adding a quote'), async (signal) => {
    await sameBytes(pdf, signal);
    const { text, label } = await pageOf(ports, pdf, asked.page, signal);
    const parts = [asked.prefix ?? '', asked.exact, asked.suffix ?? ''];
    // A blank between two numbers counts, and may be in neither part.
    const narrowed = ['', ' '].map((gap) => parts.join(gap)).find((words) => timesIn(text, words, 1) > 0);
    if (narrowed === undefined) throw new Error(notOnPage(asked.page));
    const found = wordsOnPage(normalForm(text), asked);
    const words = {
      exact: normalForm(asked.exact),
      prefix: normalForm(asked.prefix ?? found?.prefix ?? ''),
      suffix: normalForm(asked.suffix ?? found?.suffix ?? ''),
    };
    requireDistinct(words, text, { narrowed, by: 'program' });
    const rectangles = await ports.rectangles(pdfOf(pdf), { page: asked.page, ...words }, signal);
    const record = await newRecord({ pdf, words, regions: [{ page: asked.page, label, rectangles }] });
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

/** The hash of a PDF, whose bytes have to be those that the lock names. */
async function sameBytes(pdf: QuotedPdf, signal?: AbortSignal): Promise<string> {
  const sha256 = await hashOf(pdf, signal);
  if (sha256 !== pdf.row.sha256) throw new Error(editedHere());
  return sha256;
}

export const editedHere = () =>
  vscode.l10n.t(
    'This PDF was edited since it was downloaded, so others couldn’t check what you take from it. Restore it first.',
  );

/** A record of what is quoted, which is kept nowhere yet. */
function newRecord({ pdf, words, regions }: Quoted): Promise<EvidenceRecord> {
  return recordOf(pdf, { kind: 'quote', selector: { type: 'TextQuoteSelector', ...words }, regions: [...regions] });
}

/** A record of a PDF whose bytes are those that the lock names. @throws Error with words for a person */
export async function recordOf(
  pdf: QuotedPdf,
  what: Pick<EvidenceRecord, 'kind' | 'selector' | 'regions' | 'table'>,
): Promise<EvidenceRecord> {
  const { report_id, report_key } = pdf.row;
  return {
    id: randomUUID().replaceAll('-', '').slice(0, 12),
    report_id,
    report_key,
    sha256: await sameBytes(pdf),
    ...what,
    note: '',
    created_at: new Date().toISOString(),
  };
}

/** Writes it into the folder's file. */
async function keepRecord({ root }: QuotedPdf, record: EvidenceRecord): Promise<void> {
  await changeEvidence(root, (all) => ({ ...all, records: [...all.records, record] }));
}

/** Copies a text whose record is kept: its link has to lead somewhere. Where it can't be copied, no record stays. */
export async function copyWithRecord(pdf: QuotedPdf, record: EvidenceRecord, text: string): Promise<void> {
  await keepRecord(pdf, record);
  try {
    await vscode.env.clipboard.writeText(text);
  } catch (error) {
    await removeRecords(pdf.root, [record.id]);
    throw error;
  }
}

/** What a document says of a record. */
export async function passageOf(
  ports: EvidencePorts,
  { row, uri }: QuotedPdf,
  { id, selector, sha256, regions }: EvidenceRecord,
  place: InsertionPlace | undefined,
): Promise<QuotedPassage> {
  const report = await ports.report(row.report_id);
  const [first, last] = [regions[0], regions.length > 1 ? regions.at(-1) : undefined];
  return {
    id,
    exact: selector?.exact ?? '',
    report: report ? citedReport(report) : fromLock(row),
    sha256,
    page: first?.page ?? 1,
    label: first?.label ?? null,
    last: last ?? null,
    link: `${vscode.env.uriScheme}://report-library.report-library/evidence/${id}`,
    path: place ? place.pathTo(uri) : vscode.workspace.asRelativePath(uri, false),
  };
}

/** What the lock says of a report that the library does not know, as where nobody is signed in. */
function fromLock({ report_id, report_key, company_key, sha256 }: LockRow): CitedReport {
  const [key, company] = [plainText(report_key), plainText(company_key)];
  const unknown = { date: null, fiscalYear: null, language: null, pages: null };
  return { id: report_id, key, title: key, company, type: 'Report', ...unknown, sha256 };
}
