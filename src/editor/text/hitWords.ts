import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted, countText, plainText } from '../../base/words.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { escapeMarkdown, licenseLine, markdownCode } from '../../notebook/markdown.ts';
import { formatLanguages } from '../../protocol/format/numbers.ts';
import { csvTable } from '../../protocol/format/table.ts';
import type { PageHit, ReadFailure } from '../../text/textIndex.ts';
import { labelText } from '../common/messages.ts';
import { fiscalYearLabel, pageName, typeLabel } from '../common/reportNode.ts';
import type { HitList, HitNode, HitReportNode, PdfQuestion } from './hitList.ts';
import type { PdfCoverage } from './pdfText.ts';

/** Which hit it is, as it is read aloud: `Page iv, 57 of 143, hit 2 of 5`. */
export function spokenHit({ found: { page, label }, report, ordinal, parent }: HitNode): string {
  // The service may count fewer pages than the PDF has.
  const isCounted = report.pages !== null && report.pages >= page;
  const of = isCounted ? vscode.l10n.t('{0} of {1}', countText(page), countText(report.pages)) : countText(page);
  const printed = label === null || label === String(page) ? '' : `${labelText(plainText(label, 20))}, `;
  return vscode.l10n.t('Page {0}, hit {1} of {2}', printed + of, countText(ordinal), countText(parent.hits.length));
}

export function companyLabel({ company_name, company_key }: ReportSummary): string {
  return labelText(company_name ?? company_key);
}

/**
 * What stands beside a report with hits: how many pages, and its company; where all are of one, what else tells two
 * reports of a year and a type apart: the language in words, else the key.
 */
export function hitsNote({ report, hits }: Pick<HitReportNode, 'report' | 'hits'>, isOneCompany: boolean): string {
  const { language, report_key } = report;
  const own = labelText(language === null ? report_key : formatLanguages(language, vscode.env.language));
  return `${countText(hits.length)} · ${isOneCompany ? own : companyLabel(report)}`;
}

/** Which report of its company it is: `2024 Sustainability`. */
export function yearAndType({ fiscal_year, type }: ReportSummary): string {
  return labelText(`${fiscal_year ?? fiscalYearLabel(null)} ${typeLabel(type)}`);
}

/** A report on one line, with its title. */
export function reportLine(report: ReportSummary): string {
  const { title, report_key, fiscal_year } = report;
  return labelText([companyLabel(report), title ?? report_key, fiscalYearLabel(fiscal_year)].join(' · '));
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Most characters before the first hit of a row, which would be cut off otherwise. */
const lead = 40;

/**
 * A snippet as a row shows it: from shortly before its first hit on, with the hits' places. Nothing in it is taken for
 * an icon or turns the direction of the text.
 * @param before what stands in front of it
 */
export function markedRow(
  before: string,
  { snippet, marks }: Pick<PageHit, 'snippet' | 'marks'>,
): { readonly label: string; readonly highlights: [number, number][] } {
  const first = marks[0]?.[0] ?? 0;
  // A word is not cut, where one ends soon.
  const space = snippet.indexOf(' ', first - lead);
  const from = first <= lead ? 0 : space >= 0 && space < first ? space + 1 : first - lead;
  let label = from === 0 ? before : `${before}…`;
  const highlights: [number, number][] = [];
  for (const { text, isHit } of snippetParts({ snippet, marks }, from)) {
    const start = label.length;
    // The half of a character that takes two places is a blank, too.
    const clean = text.replace(hidden, (character) => ' '.repeat(character.length));
    label += clean.replaceAll('$(', '$\u200b(');
    if (isHit) highlights.push([start, label.length]);
  }
  return { label, highlights };
}

/** The parts of a snippet from an index on, in order, and which of them are hits. */
export function snippetParts({ snippet, marks }: Pick<PageHit, 'snippet' | 'marks'>, from = 0) {
  const parts: { readonly text: string; readonly isHit: boolean }[] = [];
  let at = from;
  for (const [begin, end] of marks) {
    if (begin < at || end <= begin || end > snippet.length) continue;
    parts.push({ text: snippet.slice(at, begin), isHit: false }, { text: snippet.slice(begin, end), isHit: true });
    at = end;
  }
  return [...parts, { text: snippet.slice(at), isHit: false }];
}

/** How many hits there are, as far as they were read. */
export function hitCount({ hits, reports, next }: Pick<HitList, 'hits' | 'reports' | 'next'>): string {
  if (hits.length === 0) return vscode.l10n.t('No results');
  const pages = counted(hits.length, l10n.later('1 page'), l10n.later('{0} pages'));
  const of = counted(reports.length, l10n.later('in 1 report'), l10n.later('in {0} reports'));
  return next === null ? `${pages} ${of}` : vscode.l10n.t('The newest {0} {1}', pages, of);
}

/** How many of the PDFs that are here can be searched. */
export function coverageLine({
  searchable,
  withoutText,
  failed,
  waiting,
}: Omit<PdfCoverage, 'lists' | 'others' | 'reading' | 'paused'>): string {
  const all = searchable + withoutText + failed + waiting;
  const pdfs = counted(all, l10n.later('1 PDF'), l10n.later('{0} PDFs'));
  const part = searchable === all ? pdfs : vscode.l10n.t('{0} of {1}', countText(searchable), pdfs);
  return vscode.l10n.t('{0} searchable', part);
}

/** What keeps the others from being searched: `11 without text · 4 failed · 3 waiting`. */
export function coverageGaps({
  withoutText,
  failed,
  waiting,
  others,
}: Omit<PdfCoverage, 'lists' | 'reading' | 'paused' | 'searchable'>): string {
  const parts = [
    [withoutText, vscode.l10n.t('{0} without text (scanned)', countText(withoutText))],
    [failed, vscode.l10n.t('{0} failed', countText(failed))],
    [waiting, vscode.l10n.t('{0} waiting', countText(waiting))],
    [others.length, vscode.l10n.t('{0} not published by your library', countText(others.length))],
  ] as const;
  return parts.flatMap(([count, words]) => (count > 0 ? words : [])).join(' · ');
}

/** Why a PDF has no text here, and what to do about it. */
export const failureWords: Readonly<Record<ReadFailure, string>> = {
  encrypted: vscode.l10n.t('Protected by a password. Open it in the preview, and search there.'),
  'not-a-pdf': vscode.l10n.t('Not a PDF. Verify the downloads, then download it again.'),
  damaged: vscode.l10n.t('Damaged, so it can’t be read. Open it in the preview to see what can be shown.'),
  empty: vscode.l10n.t('The PDF has no pages.'),
  'too-slow': vscode.l10n.t('Indexing took too long and was stopped. Open the PDF in the preview, and search there.'),
  'too-much-memory': vscode.l10n.t('Indexing needs too much memory. Open the PDF in the preview, and search there.'),
  'too-large': vscode.l10n.t('The PDF is too large to index. Open it in the preview, and search there.'),
  'reader-died': vscode.l10n.t('The PDF crashed its reader. Open it in the preview, and search there.'),
  'unreadable-file': vscode.l10n.t('The file can’t be read from the disk. Check its permissions, then index it again.'),
  'lfs-pointer': vscode.l10n.t('A Git LFS pointer, not the PDF. Run git lfs pull, or restore the PDF'),
  'line-ends': vscode.l10n.t(
    'Line endings changed by Git. Restore the PDF, and mark *.pdf as binary in .gitattributes',
  ),
  changed: vscode.l10n.t('The file was changed since it was downloaded. Restore it, then index it again.'),
};

/** Why a file is not searched whose hash the library in use does not publish. */
export const otherFileWords = vscode.l10n.t(
  'Not the published PDF: it was edited, replaced or withdrawn, or is from another connection. Update or restore it to search it.',
);

export const withoutTextWords = vscode.l10n.t('Scanned pages: no text to search.');

/** How far the PDF is that is being read, and how many come after it. */
export function readingNotes({ reading, waiting }: Pick<PdfCoverage, 'reading' | 'waiting'>): string {
  const { pages, of } = reading ?? {};
  const far =
    pages === undefined || of === undefined ? '' : vscode.l10n.t('Page {0} of {1}', countText(pages), countText(of));
  // It waits itself until it has been read.
  const after = waiting > 1 ? vscode.l10n.t('{0} waiting', countText(waiting - 1)) : '';
  return [far, after].filter(Boolean).join(' · ');
}

/** What a document says of an answer besides its hits. */
interface AnswerNotes extends PdfQuestion {
  /** Sentences on how many hits there are, and how many PDFs were searched. */
  readonly notes: readonly string[];
}

/** An answer as a Markdown document that is text and nothing else, whatever stands in the PDFs. */
export function hitsAsMarkdown(reports: readonly HitReportNode[], { query, scope, notes }: AnswerNotes): string {
  const title = `# ${vscode.l10n.t('Find in PDFs')}: ${escapeMarkdown(query)}`;
  const said = [scope.words, ...notes].filter((note) => note !== '').map((words) => escapeMarkdown(words));
  const parts = reports.map(({ report, hits }) => {
    const { company_name, company_key, title: name, report_key, fiscal_year } = report;
    const heading = [company_name ?? company_key, name ?? report_key, fiscalYearLabel(fiscal_year)].map((words) =>
      escapeMarkdown(words),
    );
    const hashes = [...new Set(hits.map(({ found }) => found.sha256))];
    const source = `${markdownCode(report_key)} · SHA-256 ${hashes.map((hash) => markdownCode(hash)).join(', ')}`;
    const lines = hits.map(({ found }) => `- ${escapeMarkdown(pageName(found))}: ${snippetAsMarkdown(found)}`);
    return [`## ${heading.join(' · ')}`, '', source, '', ...lines].join('\n');
  });
  return `${[title, said.join(' · '), ...parts, licenseLine].join('\n\n')}\n`;
}

function snippetAsMarkdown(hit: PageHit): string {
  const parts = snippetParts(hit).map(({ text, isHit }) => {
    if (!isHit) return plainPiece(text);
    const words = escapeMarkdown(text);
    return words === '' ? '' : `**${words}**`;
  });
  return parts.join('');
}

/** A piece of a line, with the blanks at its ends. */
function plainPiece(text: string): string {
  const escaped = escapeMarkdown(text);
  if (escaped === '') return text === '' ? '' : ' ';
  return `${/^\s/.test(text) ? ' ' : ''}${escaped}${/\s$/.test(text) ? ' ' : ''}`;
}

const csvColumns = [
  ...['report_key', 'report_id', 'company', 'title', 'fiscal_year', 'page', 'label', 'hits', 'sha256', 'snippet'],
];

/** A row for each page, RFC 4180; no cell runs as a formula in a spreadsheet. */
export function hitsAsCsv(reports: readonly HitReportNode[]): string {
  const rows = reports.flatMap(({ report, hits }) =>
    hits.map(({ found }) => [
      ...[report.report_key, String(report.report_id), report.company_name ?? report.company_key, report.title ?? ''],
      ...[String(report.fiscal_year ?? ''), String(found.page), found.label ?? '', String(found.count), found.sha256],
      found.snippet,
    ]),
  );
  return csvTable([csvColumns, ...rows.map((row) => row.map((cell) => plainText(cell, 1000)))]);
}
