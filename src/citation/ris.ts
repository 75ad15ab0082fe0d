import type { CitedReport } from './cited.ts';

/** RIS, a tag a line with CRLF as its specification has it. */
export function ris(reports: readonly CitedReport[]): string {
  return reports.map(record).join('\r\n');
}

function record(report: CitedReport): string {
  const [year, month, day] = report.date ?? [];
  const two = (number: number | undefined) => (number === undefined ? '' : String(number).padStart(2, '0'));
  const tags: (readonly [string, string | null])[] = [
    ['TY', 'RPRT'],
    ['ID', report.key],
    ['AU', report.company],
    ['TI', report.title],
    ['PB', report.company],
    ['M3', report.type],
    ['M1', report.key],
    ['PY', year === undefined ? null : String(year)],
    ['DA', month === undefined ? null : `${year}/${two(month)}/${two(day)}`],
    ['LA', report.language],
    ['SP', report.pages === null ? null : String(report.pages)],
    ['N1', report.fiscalYear === null ? null : `Fiscal year ${report.fiscalYear}`],
    ['N1', report.sha256 === null ? null : `SHA-256 ${report.sha256}`],
    ['ER', ''],
  ];
  return tags.flatMap(([tag, value]) => (value === null ? [] : [`${tag}  - ${value}\r\n`])).join('');
}
