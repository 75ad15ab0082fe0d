import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { plainText } from '../../base/words.ts';
import {
  type CheckedRecord,
  checkRecords,
  type EvidencePdfs,
  type EvidenceState,
  type PdfOfReport,
} from '../../evidence/check.ts';
import { accepted, countsOf, type Rectangle } from '../../evidence/record.ts';
import { csvTable } from '../../protocol/format/table.ts';
import { withCancellableProgress } from '../common/progress.ts';
import type { EvidencePorts } from './context.ts';
import { changeRecords, heldFileOf, type KeptRecord, keptRecords } from './evidenceFiles.ts';
import { editedHere } from './take.ts';

/** A quote as a check found it, and the folder whose file has it. */
export interface CheckedQuote extends CheckedRecord, KeptRecord {}

/** What a check found, and what is wrong with the files of quotes. */
export interface EvidenceCheck {
  readonly quotes: readonly CheckedQuote[];
  readonly problems: readonly string[];
}

/** Holds all quotes of this window against the PDFs that are here. */
export async function checkAll(ports: EvidencePorts): Promise<EvidenceCheck> {
  const { kept, problems } = await keptRecords(ports);
  const checked = await withCancellableProgress(vscode.l10n.t('Checking evidence'), (signal) =>
    checkRecords(
      kept.map(({ record }) => record),
      pdfsOf(ports),
      signal,
    ),
  );
  const quotes = checked.flatMap((one, index): CheckedQuote[] => {
    const root = kept[index]?.root;
    return root ? [{ ...one, root }] : [];
  });
  return { quotes, problems };
}

function pdfsOf(ports: EvidencePorts): EvidencePdfs {
  return {
    async here(isWanted, signal) {
      const pdfs = await (await ports.downloads()).localPdfs(({ row }) => isWanted(row));
      const here: PdfOfReport[] = [];
      for (const pdf of pdfs) {
        const { sha256, reason: problem } = await heldFileOf(pdf, signal);
        const { row, uri } = pdf;
        if (sha256 !== undefined) here.push({ report_id: row.report_id, sha256, path: uri.fsPath, problem });
      }
      return here;
    },
    text: (pdf, signal) => ports.text(pdf, signal),
    presentId: async (id) => (await ports.report(id))?.report_id,
  };
}

/** What `reportLibrary.checkEvidence` gives a program. */
export function checkOutcome({ record: { id }, state, page }: CheckedRecord) {
  return { id, state, ...(page !== undefined && { page }) };
}

const stateWords: Readonly<Record<EvidenceState, string>> = {
  same: l10n.later('PDF unchanged'),
  found: l10n.later('found in the newer PDF'),
  ambiguous: l10n.later('needs review'),
  gone: l10n.later('no longer in the PDF'),
  'not-here': l10n.later('PDF not downloaded'),
};

export function wordsOfState(state: EvidenceState): string {
  return l10n.word(stateWords[state]);
}

/** `500 quotes, 2 tables · PDF unchanged: 500 · found in the newer PDF: 2`. */
export function summary(quotes: readonly CheckedQuote[]): string {
  const all = countsOf(quotes.map(({ record }) => record));
  const states = [...Map.groupBy(quotes, ({ state }) => state)];
  return [all, ...states.map(([state, of]) => `${wordsOfState(state)}: ${of.length}`)].join(' · ');
}

/**
 * Moves a quote or table to where it was found in the newer PDF; nothing that was not found.
 * @throws Error with words for a person when its bytes are not those that the lock names
 */
export async function acceptPlace(
  ports: EvidencePorts,
  { root, record, state, page, label = null, pdf }: CheckedQuote,
): Promise<void> {
  if (state !== 'found' || page === undefined || !pdf) return;
  const published = await (await ports.downloads()).localPdfs(
    ({ row }) => row.report_id === pdf.report_id && row.sha256 === pdf.sha256,
  );
  if (published.length === 0) throw new Error(editedHere());
  const lines = await withCancellableProgress(vscode.l10n.t('Reading the PDF'), (signal) =>
    ports.rectangles(pdf, { page, ...record.selector }, signal),
  );
  const rectangles = record.kind === 'table' && lines.length > 0 ? [around(lines)] : lines;
  const next = accepted(record, { sha256: pdf.sha256, page, label, rectangles });
  await changeRecords(root, (all) =>
    all.map((one) => (one.id === record.id && one.sha256 === record.sha256 ? next : one)),
  );
}

function around(lines: readonly Rectangle[]): Rectangle {
  const edge = (side: 0 | 1 | 2 | 3, pick: (...values: number[]) => number) => pick(...lines.map((line) => line[side]));
  return [edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)];
}

const columns = [
  ...['id', 'kind', 'state', 'report_id', 'report_key', 'page', 'label', 'found_page', 'quote', 'note'],
  ...['sha256', 'created_at'],
];

/** All quotes and tables, a row each, as separated values. */
export function quotesAsCsv(quotes: readonly CheckedQuote[]): string {
  const data = quotes.map(({ record, state, page }) => {
    const { id, kind, report_id, report_key, regions, note, sha256, created_at } = record;
    const found = state === 'found' ? page : undefined;
    const [first] = regions;
    const place = [first?.page, first?.label, found];
    return [id, kind, state, report_id, report_key, ...place, record.selector.exact, note, sha256, created_at].map(
      (cell) => plainText(String(cell ?? ''), 20_000),
    );
  });
  return csvTable([columns, ...data]);
}
