import { breather } from '../base/clock.ts';
import type { HashedPdf } from '../text/extract.ts';
import { SearchedPages } from './anchor.ts';
import type { EvidenceRecord } from './record.ts';
import { firstPage } from './union.ts';

/** A PDF of this workspace, by an absolute path. */
export interface PdfOfReport extends HashedPdf {
  readonly report_id: number;
}

/** The text of a PDF, page by page from the first; or why there is none, in words for a person. */
export type TextOfPdf =
  | { readonly pages: readonly { readonly label: string | null; readonly text: string }[] }
  | { readonly reason: string };

/**
 * How a record stands to the PDFs that are here. `same`: the very bytes that it was made from are here. In a newer
 * version of the PDF: `found` at one place, for a person to accept; `ambiguous`, when a person has to look; or `gone`.
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
  /** The newer version that was looked in. */
  readonly pdf?: PdfOfReport;
  /** Why a person has to look, where it is not that the words are there more than once. */
  readonly reason?: string;
}

/** What a check asks about PDFs. */
export interface EvidencePdfs {
  /** The PDFs that are here, of the bytes of these reports, read now. */
  here(reportIds: ReadonlySet<number>, signal: AbortSignal): Promise<readonly PdfOfReport[]>;
  text(pdf: PdfOfReport, signal: AbortSignal): Promise<TextOfPdf>;
}

/**
 * Holds every record against the PDFs that are here, in the records' order. The text of a PDF is read only where its
 * bytes are not those of a record.
 * @throws the signal's reason when aborted
 */
export async function checkRecords(
  records: readonly EvidenceRecord[],
  pdfs: EvidencePdfs,
  signal: AbortSignal,
  onProgress: (checked: number) => void = () => {},
): Promise<CheckedRecord[]> {
  const here = await pdfs.here(new Set(records.map(({ report_id }) => report_id)), signal);
  const bytes = new Set(here.map(({ sha256 }) => sha256));
  const newer = new Map(here.map((pdf) => [pdf.report_id, pdf]));
  const texts = new Map<string, SearchedText>();
  const pause = breather();
  const checked: CheckedRecord[] = [];
  for (const record of records) {
    signal.throwIfAborted();
    const pdf = newer.get(record.report_id);
    if (bytes.has(record.sha256)) checked.push({ record, state: 'same', page: firstPage(record) });
    else if (!pdf) checked.push({ record, state: 'not-here' });
    else {
      let text = texts.get(pdf.sha256);
      if (!text) {
        text = searched(await pdfs.text(pdf, signal));
        texts.set(pdf.sha256, text);
      }
      checked.push({ record, pdf, ...lookedUp(record, text) });
    }
    onProgress(checked.length);
    await pause();
  }
  return checked;
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
