import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { plainText } from '../../base/words.ts';
import { type CitedReport, citedReport } from '../../citation/citation.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import { comparable, type QuoteWords, shortestQuote, timesIn } from '../../evidence/anchor.ts';
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
import { type EvidenceRecord, longestContext, longestQuote } from '../../evidence/record.ts';
import type { Passage } from '../../protocol/pdfPreview.ts';
import { normalForm } from '../../text/normalForm.ts';
import type { InsertionPlace } from '../common/insertion.ts';
import { notificationText, showProblem } from '../common/messages.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import { changeEvidence, hashOf } from './evidenceFiles.ts';
import type { EvidencePorts, QuotedPdf } from './ports.ts';

const memoryKey = 'evidence.quoteForm';

/** Characters of the page that are kept before and after a quote, to tell it from the same words elsewhere. */
const kept = 48;

const forms: readonly (vscode.QuickPickItem & { readonly form: QuoteForm })[] = [
  { form: 'markdown', label: vscode.l10n.t('Quote with Source'), description: 'Markdown' },
  { form: 'code', label: vscode.l10n.t('Code'), description: vscode.l10n.t('the quote and its source as values') },
  { form: 'footnote', label: vscode.l10n.t('Footnote'), description: 'Markdown' },
  { form: 'csl-json', label: 'CSL-JSON', description: vscode.l10n.t('to the clipboard, with the page') },
  { form: 'clipboard', label: vscode.l10n.t('Clipboard'), description: 'Markdown' },
];

/**
 * Quotes what a person selected in the preview: into what they work in, and as a record beside the lock file.
 * @param mayPick a form is picked first; else the one used last
 * @returns what was done, in words; null when the person left
 */
export async function quoteSelection(
  ports: EvidencePorts,
  file: vscode.Uri,
  passage: Passage,
  mayPick: boolean,
): Promise<string | null> {
  const { text, start, end, page, label, rectangles } = passage;
  const words = wordsOf(text, start, end);
  requireDistinct(words, text);
  const pdf = await pdfAt(ports, file);
  const last = quoteForms.find((form) => form === ports.memory.get(memoryKey)) ?? 'markdown';
  const options = { title: vscode.l10n.t('Quote As'), placeHolder: vscode.l10n.t('Choose a form') };
  const form = mayPick ? (await pickForm(forms, last, options))?.form : last;
  if (form === undefined) return null;
  const isCopied = form === 'csl-json' || form === 'clipboard';
  const place = isCopied ? undefined : await ports.insertionPlace(form === 'code' ? 'code' : 'markdown');
  if (!isCopied && !place) return null;
  const record = await recordQuote(pdf, words, [{ page, label, rectangles }]);
  await ports.memory.update(memoryKey, form);
  const quote = await passageOf(ports, pdf, record, place);
  if (!place) {
    await vscode.env.clipboard.writeText(form === 'csl-json' ? quoteCsl(quote) : quoteMarkdown(quote));
    const copied = vscode.l10n.t('Quote copied');
    vscode.window.setStatusBarMessage(copied, 3_000);
    return copied;
  }
  const takeBack = await place.insert(textOf(quote, form, place.as));
  const name = plainText(vscode.workspace.asRelativePath(place.document).split('/').at(-1) ?? '');
  const done = vscode.l10n.t('Quote inserted into {0}', name);
  void offerUndo(ports, done, pdf, record, takeBack);
  return done;
}

function textOf(quote: QuotedPassage, form: QuoteForm, as: InsertionPlace['as']): string {
  if (as === 'plain') return quotePlain(quote);
  if (as !== 'markdown') return quoteCode(quote, as);
  if (form === 'code') return `\`\`\`python\n${quoteCode(quote, 'python')}\`\`\``;
  return form === 'footnote' ? quoteFootnote(quote) : quoteMarkdown(quote);
}

async function offerUndo(
  { log }: EvidencePorts,
  done: string,
  { root }: QuotedPdf,
  { id }: EvidenceRecord,
  takeBack: () => Promise<boolean>,
): Promise<void> {
  try {
    const undo = vscode.l10n.t('Undo');
    if ((await vscode.window.showInformationMessage(notificationText(done), undo)) !== undo) return;
    if (!(await takeBack())) {
      void vscode.window.showInformationMessage(vscode.l10n.t('The quote was changed since, so it stays.'));
      return;
    }
    await changeEvidence(root, (all) => ({ ...all, records: all.records.filter((record) => record.id !== id) }));
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
  const sha256 = await sameBytes(pdf);
  const signal = new AbortController().signal;
  const read = await ports.text({ report_id: asked.report_id, sha256, path: pdf.uri.fsPath }, signal);
  if ('reason' in read) throw new Error(read.reason);
  const page = read.pages[asked.page - 1];
  const parts = [asked.prefix ?? '', asked.exact, asked.suffix ?? ''];
  // A blank between two numbers counts, and may be in neither part.
  const narrowed = ['', ' '].map((gap) => parts.join(gap)).find((text) => page && timesIn(page.text, text, 1) > 0);
  if (!page || narrowed === undefined)
    throw new Error(vscode.l10n.t('These words are not on page {0} of this PDF.', asked.page));
  const found = wordsOnPage(normalForm(page.text), asked);
  const words = {
    exact: normalForm(asked.exact),
    prefix: normalForm(asked.prefix ?? found?.prefix ?? ''),
    suffix: normalForm(asked.suffix ?? found?.suffix ?? ''),
  };
  requireDistinct(words, page.text, narrowed);
  const { id } = await recordQuote(pdf, words, [{ page: asked.page, label: page.label, rectangles: [] }]);
  return { id };
}

/** What stands around the words that are asked for, where their surroundings are those that are asked for, too. */
function wordsOnPage(text: string, { exact, prefix = '', suffix = '' }: z.output<typeof quoteSchema>) {
  const words = normalForm(exact);
  const [before, after] = [comparable(prefix), comparable(suffix)];
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    const isBefore = comparable(text.slice(Math.max(0, at - 2 * longestContext), at)).endsWith(before);
    if (isBefore && comparable(text.slice(end, end + 2 * longestContext)).startsWith(after))
      return wordsOf(text, at, end);
  }
  return undefined;
}

/** A part of a text as a quote: one line each, in the form that all engines agree on. */
function wordsOf(text: string, start: number, end: number): QuoteWords {
  const around = 4 * kept;
  const exact = normalForm(text.slice(start, end));
  const prefix = normalForm(text.slice(Math.max(0, start - around), start));
  const suffix = normalForm(text.slice(end, end + around));
  return { exact, prefix: wellFormed(prefix.slice(-kept)), suffix: wellFormed(suffix.slice(0, kept)) };
}

/** Half of a character that takes two places is none. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

/**
 * Keeps out what could not be found again for certain.
 * @param narrowed the quote with as much around it as tells it from the same words elsewhere on the page
 * @throws Error that asks for more context
 */
function requireDistinct({ exact }: QuoteWords, page: string, narrowed = exact): void {
  if (comparable(exact).length < shortestQuote)
    throw new Error(
      vscode.l10n.t('A quote has at least {0} characters, so that it can be found again. Select more.', shortestQuote),
    );
  if (exact.length > longestQuote)
    throw new Error(vscode.l10n.t('A quote has at most {0} characters. Select less.', longestQuote));
  if (timesIn(page, narrowed) > 1)
    throw new Error(vscode.l10n.t('These words are on this page more than once. Select more of the text around them.'));
}

/** @throws Error when the file is no PDF of this workspace's downloads */
async function pdfAt(ports: EvidencePorts, file: vscode.Uri): Promise<QuotedPdf> {
  const pdfs = await (await ports.downloads()).localPdfs(
    ({ root, row }) => vscode.Uri.joinPath(root.uri, root.folder, row.path).fsPath === file.fsPath,
  );
  if (!pdfs[0])
    throw new Error(
      vscode.l10n.t('This PDF isn’t one that was downloaded into this workspace. Download it here first, then quote.'),
    );
  return pdfs[0];
}

/** The hash of a PDF, whose bytes have to be those that the lock names. */
async function sameBytes(pdf: QuotedPdf): Promise<string> {
  const sha256 = await hashOf(pdf);
  if (sha256 !== pdf.row.sha256) throw new Error(editedHere());
  return sha256;
}

export const editedHere = () =>
  vscode.l10n.t('This PDF was edited since it was downloaded, so others couldn’t check the quote. Restore it first.');

async function recordQuote(
  pdf: QuotedPdf,
  words: QuoteWords,
  regions: EvidenceRecord['regions'],
): Promise<EvidenceRecord> {
  const { report_id, report_key } = pdf.row;
  const record: EvidenceRecord = {
    id: randomUUID().replaceAll('-', '').slice(0, 12),
    kind: 'quote',
    report_id,
    report_key,
    sha256: await sameBytes(pdf),
    selector: { type: 'TextQuoteSelector', ...words },
    regions,
    note: '',
    created_at: new Date().toISOString(),
  };
  await changeEvidence(pdf.root, (all) => ({ ...all, records: [...all.records, record] }));
  return record;
}

async function passageOf(
  ports: EvidencePorts,
  { row, uri }: QuotedPdf,
  { id, selector, sha256, regions: [region] }: EvidenceRecord,
  place: InsertionPlace | undefined,
): Promise<QuotedPassage> {
  const report = await ports.report(row.report_id);
  return {
    id,
    exact: selector?.exact ?? '',
    report: report ? citedReport(report) : fromLock(row),
    sha256,
    page: region?.page ?? 1,
    label: region?.label ?? null,
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
