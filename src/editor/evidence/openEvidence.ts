import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { plainText } from '../../base/words.ts';
import { citedReport } from '../../citation/citation.ts';
import { pageWords } from '../../evidence/forms.ts';
import { type EvidenceRecord, firstPage } from '../../evidence/record.ts';
import { labelText, notificationText } from '../common/messages.ts';
import { openPdfFile } from '../common/openPdfFile.ts';
import type { CheckedQuote } from './checkEvidence.ts';
import type { EvidencePorts } from './context.ts';
import { heldFileOf, type KeptRecord, keptRecords } from './evidenceFiles.ts';

/** Longest text that a preview looks for, in characters. */
const longestSearch = 1000;

/**
 * Opens the preview at a quote's very rectangle; in another version of the PDF, where its words are.
 * @param given the id of a record; left out, a person chooses
 * @param row of the Evidence view, in place of an id
 * @throws Error with words for a person when there is no such quote, or no PDF of its report
 */
export async function openEvidence(ports: EvidencePorts, given: unknown, row: CheckedQuote | undefined): Promise<void> {
  if (row) return showRecord(ports, row.record, row.page);
  if (given === undefined) {
    const { kept, problems } = await keptRecords(ports);
    if (kept.length === 0) {
      void vscode.window.showInformationMessage(notificationText(problems[0] ?? noQuotes()));
      return;
    }
    const chosen = await chooseRecord(kept, sourceNames(ports));
    if (chosen) await showRecord(ports, chosen);
    return;
  }
  await showRecord(ports, await recordOfId(ports, given));
}

/** @throws Error with words for a person when this window's files have none of this id */
export async function recordOfId(ports: EvidencePorts, id: unknown): Promise<EvidenceRecord> {
  const { kept, problems } = await keptRecords(ports);
  const found = kept.find(({ record }) => record.id === id);
  if (found) return found.record;
  throw new Error(problems[0] ?? vscode.l10n.t('This quote or table is not in the evidence file of this workspace.'));
}

/** The row of our own view that is meant: any extension may pass something like one, with a folder of its choice. */
export function ownQuote(own: readonly CheckedQuote[], given: unknown): CheckedQuote | undefined {
  if (!isObject(given) || !isObject(given.record) || !isObject(given.root)) return undefined;
  const [{ id }, folder] = [given.record, String(given.root.uri)];
  return own.find(({ record, root }) => record.id === id && root.uri.toString() === folder);
}

export const noQuotes = () =>
  vscode.l10n.t(
    'This workspace has no quotes or tables yet. Open a PDF, then select words and choose Quote, or choose Copy Table.',
  );

/** Shows where a quote is, at the page where a check found it if one did. */
async function showRecord(ports: EvidencePorts, record: EvidenceRecord, page = firstPage(record)): Promise<void> {
  const { report_id, sha256, selector, regions } = record;
  const pdf = await pdfOfRecord(ports, record);
  const isSame = (await heldFileOf(pdf)).sha256 === sha256;
  const [region, ...further] = isSame ? regions.filter((one) => one.page >= page) : [];
  const rectangles = region?.page === page ? region.rectangles : [];
  const text = rectangles.length === 0 ? selector.exact.slice(0, longestSearch) : undefined;
  await openPdfFile(pdf.uri, {
    reportId: report_id,
    place: {
      page,
      ...(rectangles.length > 0 && { rectangles }),
      ...(further.length > 0 && { further: further.map((one) => ({ page: one.page, rectangles: one.rectangles })) }),
      ...(text !== undefined && { text }),
    },
  });
  if (!isSame)
    vscode.window.setStatusBarMessage(vscode.l10n.t('This isn’t the version of the PDF that was quoted.'), 8_000);
}

/** The PDF that a record is from, else another version. @throws Error in words for a person where neither is here */
export async function pdfOfRecord(ports: EvidencePorts, { report_id, sha256, report_key }: EvidenceRecord) {
  const downloads = await ports.downloads();
  const pdfs = await downloads.localPdfs(({ row }) => row.sha256 === sha256 || row.report_id === report_id);
  const [pdf] = pdfs.toSorted((a, b) => Number(b.row.sha256 === sha256) - Number(a.row.sha256 === sha256));
  if (pdf) return pdf;
  throw new Error(vscode.l10n.t('Its PDF isn’t in this workspace. Download {0} first.', plainText(report_key)));
}

export type NameSource = (record: EvidenceRecord) => Promise<string>;

/** Names reports by company, title and year, or by keys where the library knows nothing of them. Each is read once. */
export function sourceNames(ports: Pick<EvidencePorts, 'report'>): NameSource {
  const names = new Map<string, Promise<string>>();
  return (record) => {
    const name = names.get(record.report_key) ?? nameOf(ports, record);
    names.set(record.report_key, name);
    return name;
  };
}

async function nameOf(ports: Pick<EvidencePorts, 'report'>, { report_id, report_key }: EvidenceRecord) {
  const report = await ports.report(report_id);
  // In the library of another service the id is another report's.
  if (report?.report_key !== report_key) return plainText(report_key);
  const { company, title, fiscalYear } = citedReport(report);
  return [company, title, ...(fiscalYear === null || title.includes(fiscalYear) ? [] : [fiscalYear])].join(', ');
}

/** How a quote or table reads in a list. */
export function evidenceLabel(record: EvidenceRecord): string {
  const { kind, selector } = record;
  return labelText(kind === 'table' ? vscode.l10n.t('Table: {0}', selector.exact) : selector.exact);
}

async function chooseRecord(kept: readonly KeptRecord[], source: NameSource): Promise<EvidenceRecord | undefined> {
  const itemOf = async ({ record }: KeptRecord) => {
    const [region] = record.regions;
    const place = region ? pageWords(region.page, region.label) : '';
    return { label: evidenceLabel(record), detail: labelText(`${await source(record)}, ${place}`), record };
  };
  const placeHolder = vscode.l10n.t('Choose a quote or table to see its page');
  const options = { title: vscode.l10n.t('Open Evidence'), placeHolder, matchOnDetail: true };
  return (await vscode.window.showQuickPick(Promise.all(kept.map(itemOf)), options))?.record;
}
