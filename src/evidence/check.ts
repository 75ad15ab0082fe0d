import { breather } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import type { HashedPdf } from '../text/extract.ts';
import type { ReadPdf } from '../text/textIndex.ts';
import { SearchedPages } from './anchor.ts';
import { type EvidenceRecord, firstPage } from './record.ts';

/** A PDF of this workspace, by an absolute path. */
export interface PdfOfReport extends HashedPdf {
  readonly report_id: number;
  /** Why its bytes aren't the PDF, in words for a person. */
  readonly problem?: string | undefined;
}

/** The text of a PDF, page by page from the first; or why there is none, in words for a person. */
export type TextOfPdf =
  | { readonly pages: readonly { readonly label: string | null; readonly text: string }[] }
  | { readonly reason: string };

/** The text of a PDF whose bytes had this hash, as it was read. */
export function comparableText(read: ReadPdf, sha256: string): TextOfPdf {
  if (read.kind === 'read' && read.sha256 !== sha256)
    return { reason: l10n.t('The PDF changed while it was read. Check again.') };
  if (read.kind === 'read') return { pages: read.pages };
  if (read.kind === 'without-text') return { reason: l10n.t('This PDF has no text; it may be a scan.') };
  return { reason: l10n.t('The text of the PDF could not be read.') };
}

/**
 * How a record stands to the local PDFs. `same`: the PDF that it was made from is its report's, and has its words on
 * their page. In a newer version of the PDF: `found` once, for a person to accept; or `gone`. `ambiguous`: a person has
 * to check it.
 */
export const evidenceStates = ['same', 'found', 'ambiguous', 'gone', 'not-here'] as const;
export type EvidenceState = (typeof evidenceStates)[number];

export interface CheckedRecord {
  readonly record: EvidenceRecord;
  readonly state: EvidenceState;
  /** The page it is on, from 1: in the newer version of the PDF, if it was found there. */
  readonly page?: number;
  /** What that PDF calls the page. */
  readonly label?: string | null;
  /** The newer version that was searched. */
  readonly pdf?: PdfOfReport;
  /** Why a person has to check it, unless the words are there more than once. */
  readonly reason?: string;
}

/** What a check asks about PDFs. */
export interface EvidencePdfs {
  /** The local PDFs whose row is wanted, with the hashes of their bytes, read now. */
  here(
    isWanted: (row: Pick<PdfOfReport, 'report_id' | 'sha256'>) => boolean,
    signal: AbortSignal,
  ): Promise<readonly PdfOfReport[]>;
  text(pdf: PdfOfReport, signal: AbortSignal): Promise<TextOfPdf>;
  /** The id that a report has in the library, after merges (RID-1); undefined if it is unknown. */
  presentId(reportId: number): Promise<number | undefined>;
}

/**
 * Compares every record with the local PDFs; the results are in the records' order. The text of one PDF at a time is in
 * memory.
 * @throws the signal's reason when aborted
 */
export async function checkRecords(
  records: readonly EvidenceRecord[],
  pdfs: EvidencePdfs,
  signal: AbortSignal,
  onProgress: (checked: number) => void = () => {},
): Promise<CheckedRecord[]> {
  const ids = new Set(records.map(({ report_id }) => report_id));
  const hashes = new Set(records.map(({ sha256 }) => sha256));
  const here = await pdfs.here(({ report_id, sha256 }) => ids.has(report_id) || hashes.has(sha256), signal);
  const own = new Map(here.map((pdf) => [pdf.report_id, pdf]));
  const bytes = Map.groupBy(here, ({ sha256 }) => sha256);
  const checked = new Map<EvidenceRecord, Omit<CheckedRecord, 'record'>>();
  const note = (record: EvidenceRecord, found: Omit<CheckedRecord, 'record'>) => {
    checked.set(record, found);
    onProgress(checked.size);
  };
  const toRead = new Map<PdfOfReport, EvidenceRecord[]>();
  for (const record of records) {
    const { report_id, sha256 } = record;
    const same = bytes.get(sha256) ?? [];
    const [first] = same;
    let pdf = same.find((one) => one.report_id === report_id) ?? own.get(report_id);
    if (!pdf && first) {
      const present = await pdfs.presentId(report_id);
      pdf = same.find((one) => one.report_id === present);
      if (!pdf) note(record, { state: 'ambiguous', reason: l10n.t('This is the PDF of another report.') });
    } else if (!pdf) note(record, { state: 'not-here' });
    const others = pdf && toRead.get(pdf);
    if (others) others.push(record);
    else if (pdf) toRead.set(pdf, [record]);
  }
  const pause = breather();
  for (const [pdf, some] of toRead) {
    signal.throwIfAborted();
    const text = searched(pdf.problem === undefined ? await pdfs.text(pdf, signal) : { reason: pdf.problem });
    for (const record of some) {
      signal.throwIfAborted();
      note(record, pdf.sha256 === record.sha256 ? unchanged(record, text) : { pdf, ...lookedUp(record, text) });
      await pause();
    }
  }
  return records.map((record) => ({ record, ...(checked.get(record) ?? { state: 'not-here' }) }));
}

interface SearchedText {
  /** Undefined where the PDF has no text that can be compared. */
  readonly pages: SearchedPages | undefined;
  readonly labels: readonly (string | null)[];
  readonly reason?: string;
}

function searched(text: TextOfPdf): SearchedText {
  if ('reason' in text) return { pages: undefined, labels: [], reason: text.reason };
  return {
    pages: new SearchedPages(text.pages.map((page) => page.text)),
    labels: text.pages.map(({ label }) => label),
  };
}

/** Anyone may have written a record, so its words have to be on the page that it names. */
function unchanged(record: EvidenceRecord, { pages, labels, reason }: SearchedText): Omit<CheckedRecord, 'record'> {
  const page = firstPage(record);
  if (!pages) return { state: 'ambiguous', page, ...(reason !== undefined && { reason }) };
  const numbers = record.regions.map((region) => region.page);
  if (Math.max(...numbers) > labels.length)
    return { state: 'ambiguous', reason: l10n.t('The PDF has {0} pages, so it has no page {1}.', labels.length, page) };
  if (pages.contains(record.selector, numbers)) return { state: 'same', page };
  return { state: 'ambiguous', page, reason: l10n.t('These words are not on page {0} of this PDF.', page) };
}

function lookedUp(
  { selector }: EvidenceRecord,
  { pages, labels, reason }: SearchedText,
): Omit<CheckedRecord, 'record'> {
  if (!pages) return { state: 'ambiguous', ...(reason !== undefined && { reason }) };
  const found = pages.find(selector);
  if (found.state === 'found') return { state: 'found', page: found.page, label: labels[found.page - 1] ?? null };
  const [first] = found.state === 'ambiguous' ? found.pages : [];
  return { state: found.state, ...(first !== undefined && { page: first }) };
}
