import { plainText } from '../base/words.ts';
import { textLiteral } from '../notebook/code.ts';
import type { CodeLanguage } from '../notebook/helpers.ts';
import { escapeMarkdown, markdownTarget } from '../notebook/markdown.ts';
import type { PageRow } from '../text/pages.ts';
import { citedPages, valueLiteral } from './forms.ts';

/** Longest text of a page in a document, in characters. */
const longestText = 1_000_000;

/**
 * Reads which pages are meant: `5`, `3-7`, `1, 4-6`, or `*` for all of them.
 * @returns numbers from 1, in order, each once; undefined for what is none, or beyond the last page
 */
export function pagesMeant(typed: string, count: number): readonly number[] | undefined {
  const pages = new Set<number>();
  const all = typed.trim() === '*' ? `1-${count}` : typed;
  for (const part of all.split(',')) {
    const [, from, to = from] = /^\s*(\d{1,6})\s*(?:[-–]\s*(\d{1,6})\s*)?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (!(first >= 1 && first <= last && last <= count)) return undefined;
    for (let page = first; page <= last; page += 1) pages.add(page);
  }
  return [...pages].sort((a, b) => a - b);
}

const names = ['report_key', 'page', 'label', 'text', 'sha256'] as const;

/** Code that holds the rows as values: a list of rows, in R a data frame. */
export function rowsCode(rows: readonly PageRow[], language: CodeLanguage): string {
  const literal = (value: string | number | null) => valueLiteral(value, language);
  if (language === 'r') {
    const columns = names.map((name) => `  ${name} = c(${rows.map((row) => literal(row[name])).join(', ')})`);
    return `pages <- data.frame(\n${columns.join(',\n')}\n)\n`;
  }
  const lines = rows.map((row) => `    {${names.map((name) => `"${name}": ${literal(row[name])}`).join(', ')}},\n`);
  return `pages = [\n${lines.join('')}]\n`;
}

/** Code that reads rows from a Parquet file, seen from the document; parts separated by `/`. */
export function parquetCode(path: string, language: CodeLanguage): string {
  const file = textLiteral(path);
  if (language === 'r') return `pages <- arrow::read_parquet(${file})\n`;
  return `import pandas as pd\n\npages = pd.read_parquet(${file})\n`;
}

/** The pages' text, each below a line that says where it is from. */
export function pagesMarkdown(rows: readonly PageRow[], path: string): string {
  return rows
    .map(({ report_key, page, label, text }) => {
      const source = escapeMarkdown(`${report_key}, ${citedPages({ page, label, last: null })}`);
      return `**${source}** · [PDF](${markdownTarget(path)}#page=${page})\n\n> ${noList(escapeMarkdown(text, longestText))}\n`;
    })
    .join('\n');
}

/** Text that begins as an item of a list does. */
function noList(text: string): string {
  return text.replace(/^(\d{0,9})([-+.)])/, '$1\\$2');
}

/** For any text: a line of JSON for each page. */
export function rowsPlain(rows: readonly PageRow[]): string {
  return rows.map((row) => `${JSON.stringify({ ...row, text: plainText(row.text, longestText) })}\n`).join('');
}
