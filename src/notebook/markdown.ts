import { fiscalYearOf } from '../api/schemas/fields.ts';
import type { Report } from '../api/schemas/report.ts';
import { englishTypeName } from '../api/schemas/reportTypes.ts';
import { plainText } from '../base/words.ts';

/** Said once with whatever goes into a document (LIM-5). */
export const licenseLine = 'Licensed through Report Library; not for redistribution.';

/** What a Markdown cell says of reports: one in full, several as a table. `day` is today, YYYY-MM-DD. */
export function describeReports(reports: readonly InsertedReport[], day: string): string {
  const [first, ...more] = reports;
  if (!first) return '';
  const facts = more.length === 0 ? describeOne(first) : describeMany(reports);
  return `${facts}\n\n*Inserted ${day}. ${licenseLine}*`;
}

function describeOne(report: InsertedReport): string {
  const facts = [
    `**${escapeMarkdown(report.company)}**`,
    escapeMarkdown(report.type),
    `fiscal year ${escapeMarkdown(report.fiscalYear)}`,
    ...(report.period === null ? [] : [escapeMarkdown(report.period)]),
    ...(report.published === null ? [] : [`published ${escapeMarkdown(report.published)}`]),
  ];
  const keys = [`Report key ${markdownCode(report.report_key)}`, `SHA-256 ${hash(report)}`];
  return `### ${escapeMarkdown(report.title)}\n\n${facts.join(' · ')}\n\n${keys.join('  \n')}`;
}

function describeMany(reports: readonly InsertedReport[]): string {
  const head = '| Company | Report | Type | Fiscal year | Period | Published | Report key | SHA-256 |';
  const rows = reports.map((report) => {
    const texts = [report.company, report.title, report.type, report.fiscalYear, report.period, report.published];
    const cells = [...texts.map((text) => escapeMarkdown(text ?? '')), markdownCode(report.report_key), hash(report)];
    return `| ${cells.join(' | ')} |`;
  });
  return `### ${reports.length} reports\n\n${head}\n|---|---|---|---|---|---|---|---|\n${rows.join('\n')}`;
}

/** As much of the hash as a line has room for; the cell's own text has all of it. */
function hash({ sha256 }: InsertedReport): string {
  if (sha256 === null) return 'not published';
  return /^[0-9a-f]{64}$/i.test(sha256)
    ? `${markdownCode(`${sha256.slice(0, 12)}…`)}<!-- ${sha256} -->`
    : markdownCode(sha256);
}

/** A report and where its PDF is, seen from the document; null when there is no PDF. */
type LinkedReport = { readonly report: InsertedReport; readonly path: string | null };

/** For Markdown files: a link to each PDF, with a citation. Several become a list. */
export function markdownLinks(reports: readonly LinkedReport[]): string {
  const links = reports.map(markdownLink);
  return links.length === 1 ? (links[0] ?? '') : links.map((link) => `- ${link}`).join('\n');
}

function markdownLink({ report, path }: LinkedReport): string {
  const title = escapeMarkdown(report.title);
  const name = path === null ? `*${title}*` : `[${title}](${markdownTarget(path)})`;
  const facts = [report.company, report.type, `fiscal year ${report.fiscalYear}`].map((fact) => escapeMarkdown(fact));
  const published = report.published === null ? [] : [`published ${escapeMarkdown(report.published)}`];
  return `${name}, ${[...facts, ...published].join(', ')}, ${markdownCode(report.report_key)}`;
}

/** Longest text of the service in a document, in characters. */
const longest = 300;

const special = /[\\`*_{}[\]#|~$!@^]/g;

/** What means something behind a backslash too: Jupyter finds formulas, and knitr code, before Markdown is read. */
const entities: Readonly<Record<string, string>> = { '\\': '&#92;', '`': '&#96;' };

/** Others' text as Markdown that reads as that text: no HTML, link, picture, formula or formatting. */
export function escapeMarkdown(text: string, max: number = longest): string {
  return plainText(text, max)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(special, (found) => entities[found] ?? `\\${found}`)
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/www\./gi, (match) => `${match.slice(0, -1)}\\.`);
}

/** The same as code: in backticks that the text cannot end, and that knitr and Quarto do not run. */
export function markdownCode(text: string): string {
  const clean = plainText(text, longest).replaceAll('|', '¦').replaceAll('`', 'ˋ') || '?';
  return /^(?:r[ #]|\{)/i.test(clean) ? `\` ${clean} \`` : `\`${clean}\``;
}

/** A relative or absolute path, parts separated by `/`, as the target of a Markdown link. */
export function markdownTarget(path: string): string {
  return path
    .toWellFormed()
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`))
    .join('/');
}

/** What a document says of a report. Texts are the service's, as they came. */
export type InsertedReport = ReturnType<typeof insertedReport>;

/** The facts of a report that go into documents. The fiscal year is never the year of the key (RID-3). */
export function insertedReport(report: Report) {
  const { report_key, report_type: type } = report;
  const kind = type === null || type === '' ? 'Report' : englishTypeName(type);
  return {
    report_key,
    title: report.report_title?.trim() || kind,
    company: report.company_name?.trim() || report.company_key,
    // Such as `Sustainability Report (SR)`.
    type: type === null || type === '' || kind.includes(`(${type})`) ? kind : `${kind} (${type})`,
    fiscalYear: fiscalYearWords(report),
    // Such as `2023-04-01 to 2024-03-31`.
    period: period(report.period_start_date, report.period_end_date),
    // At the precision that the report states (CNV-5).
    published: report.report_pubdate_iso,
    sha256: report.content_sha256,
  };
}

function fiscalYearWords(report: Report): string {
  const year = fiscalYearOf(report);
  const label = report.fiscal_year_label?.trim();
  if (year === null) return label || 'undated';
  return label && label !== String(year) ? `${year} (${label})` : String(year);
}

function period(start: string | null, end: string | null): string | null {
  if (start && end) return `${start} to ${end}`;
  return end ? `to ${end}` : start ? `from ${start}` : null;
}
