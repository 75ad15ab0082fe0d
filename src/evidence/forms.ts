import { plainText } from '../base/words.ts';
import { type CitedReport, citation } from '../citation/citation.ts';
import { textLiteral } from '../notebook/code.ts';
import type { CodeLanguage } from '../notebook/helpers.ts';
import { escapeMarkdown, markdownTarget } from '../notebook/markdown.ts';
import { longestQuote } from './record.ts';

/** A quote as it goes into a document. Its texts come from a PDF and from the service, and are untrusted. */
export interface QuotedPassage {
  readonly id: string;
  readonly exact: string;
  readonly report: CitedReport;
  readonly sha256: string;
  /** From 1. */
  readonly page: number;
  readonly label: string | null;
  /** Opens the preview at the quote's very rectangle. */
  readonly link: string;
  /** The PDF, seen from the document; parts separated by `/`. */
  readonly path: string;
}

export const quoteForms = ['markdown', 'code', 'footnote', 'csl-json', 'clipboard'] as const;
export type QuoteForm = (typeof quoteForms)[number];

/** What a reader calls a page: `p. 3`, or what the PDF prints on it with its number, `p. iii (PDF page 3)`. */
export function pageWords(page: number, label: string | null): string {
  const printed = plainText(label ?? '', 40);
  return printed === '' || printed === String(page) ? `p. ${page}` : `p. ${printed} (PDF page ${page})`;
}

/** The quote with its source and both links below it. Marks around it keep its first characters from being markup. */
export function quoteMarkdown(quote: QuotedPassage): string {
  return `> “${escapeMarkdown(quote.exact, longestQuote)}”\n>\n> — ${sourceMarkdown(quote)}`;
}

/** The words with the mark of a footnote, and the footnote. */
export function quoteFootnote(quote: QuotedPassage): string {
  const mark = `[^quote-${quote.id}]`;
  return `“${escapeMarkdown(quote.exact, longestQuote)}”${mark}\n\n${mark}: ${sourceMarkdown(quote)}`;
}

function sourceMarkdown({ report, page, label, link, path }: QuotedPassage): string {
  const facts = [
    escapeMarkdown(report.company),
    `*${escapeMarkdown(report.title)}*`,
    ...(report.fiscalYear === null ? [] : [`fiscal year ${escapeMarkdown(report.fiscalYear)}`]),
    escapeMarkdown(pageWords(page, label)),
  ];
  return `${facts.join(', ')} · [Show quote](${link}) · [PDF](${markdownTarget(path)}#page=${page})`;
}

/** For any text: one line, without markup. */
export function quotePlain({ exact, report, page, label, link }: QuotedPassage): string {
  const source = citation('footnote', [report]).trimEnd().replace(/\.$/, '');
  return `“${plainText(exact, longestQuote)}” — ${source}, ${pageWords(page, label)}. ${link}`;
}

/** CSL-JSON of the report with the page as locator, and the words as its annotation. */
export function quoteCsl({ exact, report, page, label }: QuotedPassage): string {
  const [item] = JSON.parse(citation('csl-json', [report])) as [Record<string, unknown>];
  const locator = plainText(label ?? '', 40) || String(page);
  return `${JSON.stringify([{ ...item, locator, label: 'page', annote: plainText(exact, longestQuote) }], undefined, 2)}\n`;
}

const nothing: Readonly<Record<CodeLanguage, string>> = { python: 'None', r: 'NA', julia: 'nothing' };

/** Code that holds the quote and its source as values. `quote` is a word of Julia's own. */
export function quoteCode(quote: QuotedPassage, language: CodeLanguage): string {
  const { report, page, label } = quote;
  const literal = (value: string | number | null) =>
    value === null ? nothing[language] : typeof value === 'number' ? String(value) : textLiteral(value, language);
  const values = Object.entries({
    text: quote.exact,
    company: report.company,
    title: report.title,
    fiscal_year: report.fiscalYear,
    report_key: report.key,
    report_id: report.id,
    page,
    page_label: label,
    sha256: quote.sha256,
    pdf: quote.path,
    link: quote.link,
  }).map(([name, value]) => [name, literal(value)] as const);
  if (language === 'python')
    return `quote = {\n${values.map(([name, value]) => `    "${name}": ${value},\n`).join('')}}\n`;
  const members = values.map(([name, value]) => `  ${name} = ${value}`).join(',\n');
  return language === 'r' ? `quote <- list(\n${members}\n)\n` : `quoted = (\n${members},\n)\n`;
}
