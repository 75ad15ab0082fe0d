import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { TextCoverage } from '../../text/textIndex.ts';
import { applicationSetting } from '../common/settings.ts';
import type { HitScope } from './hitList.ts';
import { failureWords, otherFileWords } from './hitWords.ts';
import type { PdfText, ReportReading } from './pdfText.ts';

const maxLimit = 1000;

const optionsSchema = z.strictObject({
  report_ids: z.optional(z.array(z.int())),
  company_key: z.optional(z.string()),
  fcyear: z.optional(z.union([z.int(), z.array(z.int())])),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(maxLimit))),
  cursor: z.optional(z.nullable(z.string())),
});

/** What Find in PDFs gives a program. */
export interface FoundHits {
  readonly hits: readonly {
    readonly report_id: number;
    readonly report_key: string;
    readonly sha256: string;
    readonly page: number;
    /** The printed label; null when the PDF names none. */
    readonly label: string | null;
    readonly snippet: string;
  }[];
  /** Where the next part begins; null at the end. */
  readonly next: string | null;
  readonly coverage: Pick<TextCoverage, 'searchable' | 'withoutText' | 'failed' | 'waiting'>;
}

/** Answers a program; asks nothing, shows nothing. @throws Error with words for a person */
export async function findForProgram(text: PdfText, query: string, given: unknown): Promise<FoundHits> {
  const { success, data } = optionsSchema.safeParse(given ?? {});
  if (!success)
    throw new Error(
      `Find in PDFs takes a query and {report_ids?, company_key?, fcyear?, limit?, cursor?}: a list of ids, a key, a year, a number from 1 to ${maxLimit}, and what “next” was before.`,
    );
  if (!isOn()) throw new Error(offWords());
  const { report_ids, company_key, fcyear, limit = 50, cursor = null } = data;
  const narrowed = {
    ...(company_key !== undefined && { company_key: [company_key] }),
    ...(fcyear !== undefined && { fcyear: [fcyear].flat() }),
  };
  const isNarrowed = (company_key ?? fcyear) !== undefined;
  const scope: HitScope = { words: '', reportIds: report_ids, query: isNarrowed ? narrowed : undefined };
  await text.settled();
  const { pages, next } = await text.find({ query, scope }, { limit, cursor });
  const { searchable, withoutText, failed, waiting } = await text.coverage(scope);
  return {
    hits: pages.map(({ report: { report_id, report_key }, sha256, page, label, snippet }) => ({
      ...{ report_id, report_key, sha256, page, label, snippet },
    })),
    next,
    coverage: { searchable, withoutText, failed, waiting },
  };
}

export interface ReadResult {
  readonly report_id: number;
  readonly status: 'read' | 'known' | 'without-text' | 'failed' | 'no-pdf';
  readonly pages?: number;
  readonly reason?: string;
}

/** Reads PDFs now, those of some reports or all that are here. */
export async function readForProgram(
  text: PdfText,
  ids: readonly number[] | undefined,
  signal?: AbortSignal,
): Promise<readonly ReadResult[]> {
  if (!isOn()) throw new Error(offWords());
  return (await text.read(ids, signal)).map(readResult);
}

function readResult({ report_id, outcome }: ReportReading): ReadResult {
  if (outcome === 'no-pdf') return { report_id, status: 'no-pdf' };
  if (outcome === 'other-file') return { report_id, status: 'failed', reason: otherFileWords };
  const { status, pages, reason } = outcome;
  return {
    ...{ report_id, status },
    ...(pages !== undefined && { pages }),
    ...(reason !== undefined && { reason: failureWords[reason] }),
  };
}

export function isOn(): boolean {
  return applicationSetting('reportLibrary.pdfText.enabled');
}

/** Says that they are not, and what to do about it. */
export function offWords(): string {
  return vscode.l10n.t('Find in PDFs is off. Turn on {0} in the settings.', 'reportLibrary.pdfText.enabled');
}
