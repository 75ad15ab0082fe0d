import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { inferNumberStyle, type NumberStyle } from '../../base/cells.ts';
import { plainText } from '../../base/words.ts';
import { type CitedReport, citedReport } from '../../citation/citation.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import {
  type QuotedPassage,
  type QuoteForm,
  quoteCode,
  quoteCsl,
  quoteFootnote,
  quoteMarkdown,
  quotePlain,
} from '../../evidence/forms.ts';
import type { EvidenceRecord } from '../../evidence/record.ts';
import {
  type TableForm,
  type TakenTable,
  tableCode,
  tableMarkdown,
  tablePlain,
  tableSeparated,
} from '../../evidence/tableForms.ts';
import type { Inserted, InsertionKind, InsertionPlace } from '../common/insertion.ts';
import { notificationText, problemText, showProblem } from '../common/messages.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import type { EvidencePorts, QuotedPdf } from './context.ts';
import { changeRecords, editNote, heldFileOf, type KeptRecord } from './evidenceFiles.ts';

/** Where something goes; undefined when the person leaves. */
export type PlaceFor = (kind: InsertionKind) => Promise<InsertionPlace | undefined>;

type FormItem<Form extends string> = vscode.QuickPickItem & { readonly form: Form };

/** In what forms quotes, or tables, are taken along. */
interface TakenKind<Form extends string> {
  readonly memoryKey: string;
  readonly title: string;
  /** The first one is that of a person who has chosen none yet. */
  readonly forms: readonly [FormItem<Form>, ...FormItem<Form>[]];
  /** Forms that go to the clipboard. */
  readonly copied: readonly Form[];
  kindOf(form: Form): InsertionKind;
  copy(record: EvidenceRecord, source: QuotedPassage, form: Form): string;
  /** What goes into a document, but where text of a PDF could run. */
  text(record: EvidenceRecord, source: QuotedPassage, form: Form, as: Exclude<InsertionPlace['as'], 'markup'>): string;
}

export const quotes: TakenKind<QuoteForm> = {
  memoryKey: 'evidence.quoteForm',
  title: vscode.l10n.t('Quote As'),
  forms: [
    { form: 'markdown', label: vscode.l10n.t('Quote with Source'), description: 'Markdown' },
    { form: 'code', label: vscode.l10n.t('Code'), description: vscode.l10n.t('the quote and its source as values') },
    { form: 'footnote', label: vscode.l10n.t('Footnote'), description: 'Markdown' },
    { form: 'csl-json', label: 'CSL-JSON', description: vscode.l10n.t('to the clipboard, with the page') },
    { form: 'clipboard', label: vscode.l10n.t('Clipboard'), description: 'Markdown' },
  ],
  copied: ['csl-json', 'clipboard'],
  kindOf: (form) => (form === 'code' ? 'code' : 'markdown'),
  copy: (_, source, form) => (form === 'csl-json' ? quoteCsl(source) : quoteMarkdown(source)),
  text(_, source, form, as) {
    if (as === 'plain') return quotePlain(source);
    if (as !== 'markdown') return quoteCode(source, as);
    if (form === 'code') return `\`\`\`python\n${quoteCode(source, 'python')}\`\`\``;
    return form === 'footnote' ? quoteFootnote(source) : quoteMarkdown(source);
  },
};

/** @param style how its numbers are printed, null to leave them as texts; inferred from its cells if left out */
export function tables(style?: NumberStyle | null): TakenKind<TableForm> {
  const tableOf = ({ regions: [region] }: EvidenceRecord, source: QuotedPassage): TakenTable => {
    if (!region) throw new RangeError('The record has no region.');
    const inferred = () => inferNumberStyle((region.cells ?? []).slice(1).flat());
    return { source, region, style: style === undefined ? inferred() : style };
  };
  return {
    memoryKey: 'evidence.tableForm',
    title: vscode.l10n.t('Copy Table As'),
    forms: [
      { form: 'markdown', label: vscode.l10n.t('Table with Source'), description: 'Markdown' },
      { form: 'code', label: vscode.l10n.t('Code'), description: 'pandas' },
      { form: 'csv', label: 'CSV', description: vscode.l10n.t('to the clipboard') },
      { form: 'tsv', label: 'TSV', description: vscode.l10n.t('to the clipboard, for spreadsheets') },
      { form: 'clipboard', label: vscode.l10n.t('Clipboard'), description: 'Markdown' },
    ],
    copied: ['csv', 'tsv', 'clipboard'],
    kindOf: (form) => (form === 'markdown' ? 'markdown' : 'code'),
    copy(record, source, form) {
      const table = tableOf(record, source);
      return form === 'clipboard' ? tableMarkdown(table) : tableSeparated(table, form === 'tsv' ? '\t' : ',');
    },
    text(record, source, form, as) {
      const table = tableOf(record, source);
      if (as === 'plain') return tablePlain(table);
      if (as === 'python') return tableCode(table);
      if (as === 'markdown')
        return form === 'markdown' ? tableMarkdown(table) : `\`\`\`python\n${tableCode(table)}\`\`\``;
      throw new Error(
        vscode.l10n.t('A table has no code in the language of this document. Choose CSV or the clipboard in Copy As…'),
      );
    },
  };
}

export interface HowTaken {
  /** A form is picked first; else the one used last. */
  readonly mayPick: boolean;
  /** Where, instead of in what the person works in or on the clipboard. */
  readonly dropped?: PlaceFor | undefined;
  /** What is told then, given the document's name, or undefined for the clipboard. */
  done(document: string | undefined): string;
  /** Whether that is to stay in view. */
  readonly isLasting?: boolean;
}

/**
 * Puts a quote or table into what a person works in, or on the clipboard, and keeps its record beside the lock file, to
 * which its link leads: neither is there without the other.
 * @returns what was done, in words; null when the person left
 * @throws Error with words for a person
 */
export async function take<Form extends string>(
  ports: EvidencePorts,
  kind: TakenKind<Form>,
  pdf: QuotedPdf,
  what: Parameters<typeof recordOf>[1],
  { mayPick, dropped, done, isLasting = false }: HowTaken,
): Promise<string | null> {
  const last = lastForm(ports, kind);
  const options = { title: kind.title, placeHolder: vscode.l10n.t('Choose a form') };
  const form = mayPick ? (await pickForm(kind.forms, last, options))?.form : last;
  if (form === undefined) return null;
  const isCopied = !dropped && kind.copied.includes(form);
  const place = isCopied ? undefined : await (dropped ?? ports.insertionPlace)(kind.kindOf(form));
  if (!isCopied && !place) return null;
  const record = await recordOf(pdf, what);
  const source = await passageOf(ports, pdf, record, place);
  await ports.memory.update(kind.memoryKey, form);
  const told = done(place && plainText(vscode.workspace.asRelativePath(place.document).split('/').at(-1) ?? ''));
  if (place) {
    const inserted = await place.insert(kind.text(record, source, form, safely(place.as)));
    await keepRecord(pdf, record).catch((error) => givenUp(ports, error, inserted.undo));
    void offerMore(ports, told, inserted, { root: pdf.root, record });
    return told;
  }
  const text = kind.copy(record, source, form);
  await keepRecord(pdf, record);
  const copying = async () => vscode.env.clipboard.writeText(text);
  await copying().catch((error) => givenUp(ports, error, () => dropRecord(pdf.root, record)));
  if (isLasting) void vscode.window.showInformationMessage(told);
  else vscode.window.setStatusBarMessage(told, 3_000);
  return told;
}

async function givenUp({ log }: EvidencePorts, error: unknown, undo: () => Promise<unknown>): Promise<never> {
  await undo().catch((other: unknown) => log.error(`What was begun could not be taken back: ${problemText(other)}`));
  throw error;
}

/** Inserts a record's quote or table again, in the form that was used last. @throws Error with words for a person */
export async function takeAgain(
  ports: EvidencePorts,
  pdf: QuotedPdf,
  record: EvidenceRecord,
  placeFor: PlaceFor,
): Promise<void> {
  if (pdf.row.sha256 !== record.sha256)
    throw new Error(vscode.l10n.t('The PDF changed since this was taken from it. Run Check Evidence, then try again.'));
  const insert = async <Form extends string>(kind: TakenKind<Form>, form: Form) => {
    const place = await placeFor(kind.kindOf(form));
    const source = place && (await passageOf(ports, pdf, record, place));
    if (source) await place.insert(kind.text(record, source, form, safely(place.as)));
  };
  await (record.kind === 'quote' ? insert(quotes, lastForm(ports, quotes)) : insert(tables(), 'markdown'));
}

/** The target of the next quote: a document's name or the clipboard; null if the person is asked. */
export async function quoteTarget(ports: EvidencePorts): Promise<string | null> {
  const isCopied = quotes.copied.includes(lastForm(ports, quotes));
  return isCopied ? vscode.l10n.t('Clipboard') : ports.targetName();
}

function lastForm<Form extends string>({ memory }: EvidencePorts, { forms, memoryKey }: TakenKind<Form>): Form {
  return (forms.find(({ form }) => form === memory.get(memoryKey)) ?? forms[0]).form;
}

/** What can stand at a place. @throws Error with words for a person where text of a PDF could run */
export function safely(as: InsertionPlace['as']): Exclude<InsertionPlace['as'], 'markup'> {
  if (as !== 'markup') return as;
  throw new Error(
    vscode.l10n.t(
      'Text from a PDF could run as code in this document. Copy it to the clipboard, or use Markdown, plain text or a notebook.',
    ),
  );
}

/**
 * Reports what was inserted, and offers to show it, undo it, or add a note.
 * @param kept the record that goes with it
 */
export async function offerMore(
  { log }: EvidencePorts,
  done: string,
  inserted: Inserted,
  kept?: KeptRecord,
): Promise<void> {
  try {
    const [show, note, undo] = [vscode.l10n.t('Show'), vscode.l10n.t('Note…'), vscode.l10n.t('Undo')];
    const offered = kept ? [show, undo, note] : [show, undo];
    const choice = await vscode.window.showInformationMessage(notificationText(done), ...offered);
    if (choice === show) await inserted.show();
    if (kept && choice === note) await editNote(kept);
    if (choice !== undo) return;
    if (!(await inserted.undo())) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Not undone: the text changed after it was inserted.'));
      return;
    }
    if (kept) await dropRecord(kept.root, kept.record);
  } catch (error) {
    showProblem(error, log);
  }
}

/** The hash of a PDF, whose bytes have to be those that the lock names. @throws Error with words for a person */
export async function sameBytes(pdf: QuotedPdf, signal?: AbortSignal): Promise<string> {
  const { sha256, reason } = await heldFileOf(pdf, signal);
  if (sha256 !== pdf.row.sha256) throw new Error(sha256 === undefined ? editedHere() : (reason ?? editedHere()));
  return sha256;
}

export const editedHere = () =>
  vscode.l10n.t(
    'This PDF was edited after it was downloaded, so others couldn’t check quotes from it. Restore it first.',
  );

/** An unsaved record of a PDF whose bytes the lock names. @throws Error with words for a person */
export async function recordOf(
  pdf: QuotedPdf,
  what: Pick<EvidenceRecord, 'kind' | 'selector' | 'regions'>,
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

export function keepRecord({ root }: QuotedPdf, record: EvidenceRecord): Promise<void> {
  return changeRecords(root, (all) => [...all, record]);
}

function dropRecord(root: QuotedPdf['root'], { id }: EvidenceRecord): Promise<void> {
  return changeRecords(root, (all) => all.filter((one) => one.id !== id));
}

async function passageOf(
  ports: EvidencePorts,
  { row, uri }: QuotedPdf,
  { id, selector, sha256, regions }: EvidenceRecord,
  place: InsertionPlace | undefined,
): Promise<QuotedPassage> {
  const report = await ports.report(row.report_id);
  const [first, last] = [regions[0], regions.length > 1 ? regions.at(-1) : undefined];
  return {
    id,
    exact: selector.exact,
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
