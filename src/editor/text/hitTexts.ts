import Papa from 'papaparse';
import * as vscode from 'vscode';
import { guardFormula } from '../../base/cells.ts';
import { plainText } from '../../base/words.ts';
import { escapeMarkdown, licenceLine, markdownCode } from '../../notebook/markdown.ts';
import type { PageHit } from '../../text/textIndex.ts';
import { fiscalYearLabel } from '../common/reportNode.ts';
import type { HitReportNode, PdfQuestion } from './hitList.ts';
import { pageName } from './hitWords.ts';

/** What a document says of an answer besides its hits. */
export interface AnswerNotes extends PdfQuestion {
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
  return `${[title, said.join(' · '), ...parts, licenceLine].join('\n\n')}\n`;
}

function snippetAsMarkdown({ snippet, marks }: PageHit): string {
  let text = '';
  let at = 0;
  for (const [begin, end] of marks) {
    const words = escapeMarkdown(snippet.slice(begin, end));
    text += plainPiece(snippet.slice(at, begin)) + (words === '' ? '' : `**${words}**`);
    at = end;
  }
  return text + plainPiece(snippet.slice(at));
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
  const data = [csvColumns, ...rows.map((row) => row.map((cell) => guardFormula(plainText(cell, 1000))))];
  return `${Papa.unparse(data, { newline: '\r\n' })}\r\n`;
}
