import type { InsertedReport } from './insertedReport.ts';
import { markdownCode, markdownTarget, markdownText } from './markdownText.ts';

/** Said once with whatever goes into a document (LIM-5). */
export const licenceLine = 'Licensed through Report Library; not for redistribution.';

/** What a Markdown cell says of reports: one in full, several as a table. `day` is the day it is written, YYYY-MM-DD. */
export function describeReports(reports: readonly InsertedReport[], day: string): string {
  const [first, ...more] = reports;
  if (!first) return '';
  const facts = more.length === 0 ? describeOne(first) : describeMany(reports);
  return `${facts}\n\n*Inserted ${day}. ${licenceLine}*`;
}

function describeOne(report: InsertedReport): string {
  const facts = [
    `**${markdownText(report.company)}**`,
    markdownText(report.type),
    `fiscal year ${markdownText(report.fiscalYear)}`,
    ...(report.period === null ? [] : [markdownText(report.period)]),
    ...(report.published === null ? [] : [`published ${markdownText(report.published)}`]),
  ];
  const keys = [`Report key ${markdownCode(report.report_key)}`, `SHA-256 ${hash(report)}`];
  return `### ${markdownText(report.title)}\n\n${facts.join(' · ')}\n\n${keys.join('  \n')}`;
}

function describeMany(reports: readonly InsertedReport[]): string {
  const head = '| Company | Report | Type | Fiscal year | Period | Published | Report key | SHA-256 |';
  const rows = reports.map((report) => {
    const texts = [report.company, report.title, report.type, report.fiscalYear, report.period, report.published];
    const cells = [...texts.map((text) => markdownText(text ?? '')), markdownCode(report.report_key), hash(report)];
    return `| ${cells.join(' | ')} |`;
  });
  return `### ${reports.length} reports\n\n${head}\n|---|---|---|---|---|---|---|---|\n${rows.join('\n')}`;
}

function hash({ sha256 }: InsertedReport): string {
  return sha256 === null ? 'not published' : markdownCode(sha256);
}

/** A report and where its PDF is, seen from the document; null when there is no PDF. */
export interface LinkedReport {
  readonly report: InsertedReport;
  readonly path: string | null;
}

/** For Markdown files: a link to each PDF, with a citation. Several become a list. */
export function markdownLinks(reports: readonly LinkedReport[]): string {
  const links = reports.map(markdownLink);
  return links.length === 1 ? (links[0] ?? '') : links.map((link) => `- ${link}`).join('\n');
}

function markdownLink({ report, path }: LinkedReport): string {
  const title = markdownText(report.title);
  const name = path === null ? `*${title}*` : `[${title}](${markdownTarget(path)})`;
  const facts = [report.company, report.type, `fiscal year ${report.fiscalYear}`].map(markdownText);
  const published = report.published === null ? [] : [`published ${markdownText(report.published)}`];
  return `${name}, ${[...facts, ...published].join(', ')}, ${markdownCode(report.report_key)}`;
}
