import type { CitedReport } from './cited.ts';

/** CSL-JSON, as Zotero, pandoc and Quarto read it. */
export function cslJson(reports: readonly CitedReport[]): string {
  return `${JSON.stringify(reports.map(item), undefined, 2)}\n`;
}

function item(report: CitedReport): Record<string, unknown> {
  return {
    id: report.key,
    type: 'report',
    title: report.title,
    author: [{ literal: report.company }],
    publisher: report.company,
    genre: report.type,
    number: report.key,
    ...(report.date && { issued: { 'date-parts': [report.date] } }),
    ...(report.pages !== null && { 'number-of-pages': report.pages }),
    ...(report.language !== null && { language: report.language }),
    ...noteOf(report),
  };
}

function noteOf({ fiscalYear, sha256 }: CitedReport): { readonly note?: string } {
  const notes = [
    ...(fiscalYear === null ? [] : [`Fiscal year ${fiscalYear}`]),
    ...(sha256 === null ? [] : [`SHA-256 ${sha256}`]),
  ];
  return notes.length > 0 ? { note: notes.join('. ') } : {};
}
