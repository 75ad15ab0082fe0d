import * as z from 'zod/mini';
import type { ReportSummary } from '../library/reportQuery.ts';
import type { StoredReport } from '../library/store.ts';
import type { PdfLacks } from '../text/textIndex.ts';
import { type ToolPorts, ToolProblem, visible } from './tool.ts';

/** Longest text of a fact, in characters: titles and names are the service's own. */
const longest = 200;

/** A text of the service on one line, without invisible characters, cut where it is too long. */
export function plain(text: string | null, max = longest): string | null {
  if (text === null) return null;
  const line = visible(text.replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')).trim();
  // Half of a character that takes two places is none.
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** What every fact about a report stands on. */
export function reportRow(report: ReportSummary) {
  return {
    ...{ report_id: report.report_id, report_key: plain(report.report_key), sha256: plain(report.sha256) },
    ...{ company_key: plain(report.company_key), company: plain(report.company_name), title: plain(report.title) },
    ...{ type: plain(report.type), fiscal_year: report.fiscal_year, language: plain(report.language) },
    ...{ published: plain(report.published), pages: report.pages, has_file: report.has_file, state: report.state },
  };
}

/** How a model names a report. */
export const reportInput = z
  .union([z.int().check(z.positive()), z.string().check(z.minLength(1), z.maxLength(300))])
  .check(z.describe('report_id or report_key, from another tool'));

/** The report of an id or key, also a retired one. Throws a `ToolProblem` where there is none. */
export function theReport({ library }: ToolPorts, named: number | string): StoredReport {
  const found = library.report(idOf(named)) ?? null;
  if (found) return found;
  throw new ToolProblem(
    'The library in use has no such report. Call reportlibrary_find_reports for its report_key; a report outside the license is not listed.',
  );
}

/** An id that came as a text is still one. */
export function idOf(named: number | string): number | string {
  return typeof named === 'string' && /^[1-9]\d{0,15}$/.test(named) ? Number(named) : named;
}

export const cursorInput = z.optional(
  z.string().check(z.maxLength(200), z.describe('`next` of the previous answer, with the same inputs otherwise')),
);

/** What of these PDFs is not searched, each where there is some. */
export function notSearched(pdfs: readonly PdfLacks[]) {
  const sum = (of: (pdf: PdfLacks) => number) => pdfs.reduce((total, pdf) => total + of(pdf), 0);
  const counts = {
    pages_without_text: sum(({ empty }) => empty),
    pages_not_readable: sum(({ unreadable, damaged }) => unreadable.length + damaged.length),
    pages_beyond_limit: sum(({ left }) => left),
    attached_files: sum(({ attachments }) => attachments.length),
  };
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length > 0 ? { not_searched: Object.fromEntries(some) } : {};
}
