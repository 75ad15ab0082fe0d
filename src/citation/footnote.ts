import type { CitedReport, DateParts } from './cited.ts';

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** A plain sentence each, for a footnote. */
export function footnotes(reports: readonly CitedReport[]): string {
  return reports.map(footnote).join('\n');
}

function footnote(report: CitedReport): string {
  const parts = [
    `${report.company}, “${report.title}”`,
    // A title often is the type itself.
    ...(report.title.toLowerCase().includes(report.type.toLowerCase()) ? [] : [report.type]),
    ...(report.fiscalYear === null ? [] : [`fiscal year ${report.fiscalYear}`]),
    ...(report.date === null ? [] : [dateWords(report.date)]),
    ...(report.pages === null ? [] : [`${report.pages} pages`]),
    report.key,
  ];
  return `${parts.join(', ')}.`;
}

/** `May 2024`, `3 May 2024`, `2024`. */
function dateWords([year, month, day]: DateParts): string {
  const name = month === undefined ? undefined : months[month - 1];
  return [...(day === undefined ? [] : [day]), ...(name === undefined ? [] : [name]), year].join(' ');
}
