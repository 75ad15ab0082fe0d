import Papa from 'papaparse';
import * as vscode from 'vscode';
import { guardFormula } from '../../base/formulas.ts';
import { plainText } from '../../base/words.ts';
import { accepted, wordsOfRecord } from '../../evidence/record.ts';
import { withCancellableProgress } from '../common/messages.ts';
import type { CheckedQuote } from './checkEvidence.ts';
import { changeEvidence } from './evidenceFiles.ts';
import type { EvidencePorts } from './ports.ts';
import { editedHere } from './quote.ts';

/**
 * Moves a quote or table to the place where it was found in the newer PDF.
 * @throws Error with words for a person when its bytes are not those that the lock names
 */
export async function acceptPlace(
  ports: EvidencePorts,
  { root, record, page, label = null, places, pdf }: CheckedQuote,
): Promise<void> {
  if (page === undefined || !pdf) return;
  const published = await (await ports.downloads()).localPdfs(
    ({ row }) => row.report_id === pdf.report_id && row.sha256 === pdf.sha256,
  );
  if (published.length === 0) throw new Error(editedHere());
  const rectangles = await withCancellableProgress(vscode.l10n.t('Reading the page'), (signal) =>
    record.selector ? ports.rectangles(pdf, { page, ...record.selector }, signal) : Promise.resolve([]),
  );
  const next = accepted(record, { sha256: pdf.sha256, places: places ?? [{ page, label, rectangles }] });
  await changeEvidence(root, (all) => ({
    ...all,
    records: all.records.map((one) => (one.id === record.id && one.sha256 === record.sha256 ? next : one)),
  }));
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
    return [id, kind, state, report_id, report_key, ...place, wordsOfRecord(record), note, sha256, created_at].map(
      (cell) => guardFormula(plainText(String(cell ?? ''), 20_000)),
    );
  });
  return `${Papa.unparse({ fields: columns, data }, { newline: '\r\n' })}\r\n`;
}

export async function openCsv(quotes: readonly CheckedQuote[]): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'csv', content: quotesAsCsv(quotes) });
  await vscode.window.showTextDocument(document);
}
