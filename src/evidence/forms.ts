import { l10n } from '../base/l10n.ts';
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
  /** Where it ends, if that is on another page. */
  readonly last: { readonly page: number; readonly label: string | null } | null;
  /** Opens the preview at the quote's very rectangle. */
  readonly link: string;
  /** The PDF, seen from the document; parts separated by `/`. */
  readonly path: string;
}

export type QuoteForm = 'markdown' | 'code' | 'footnote' | 'csl-json' | 'clipboard';

/** How a reader of this editor names a page: `p. 3`, or with its printed label, `p. iii (PDF page 3)`. */
export function pageWords(page: number, label: string | null): string {
  const printed = printedLabel(page, label);
  return printed === null ? l10n.t('p. {0}', page) : l10n.t('p. {0} (PDF page {1})', printed, page);
}

/** The same in documents, whose readers may have another language; of a longer quote from first to last page. */
export function citedPages({ page, label, last }: Pick<QuotedPassage, 'page' | 'label' | 'last'>): string {
  const printed = printedLabel(page, label);
  if (!last) return printed === null ? `p. ${page}` : `p. ${printed} (PDF page ${page})`;
  const lastPrinted = printedLabel(last.page, last.label);
  if (printed === null && lastPrinted === null) return `pp. ${page}–${last.page}`;
  return `pp. ${printed ?? page}–${lastPrinted ?? last.page} (PDF pages ${page}–${last.page})`;
}

/** What the PDF prints on a page as its number; null where that is no other one. */
function printedLabel(page: number, label: string | null): string | null {
  const printed = plainText(label ?? '', 40);
  return printed === '' || printed === String(page) ? null : printed;
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

/** Where something is from, with a link that shows it there and one to the PDF's page. */
export function sourceMarkdown(quote: Omit<QuotedPassage, 'exact'>, show = 'Show quote'): string {
  const { report, page, link, path } = quote;
  const facts = [
    escapeMarkdown(report.company),
    `*${escapeMarkdown(report.title)}*`,
    ...(report.fiscalYear === null ? [] : [`fiscal year ${escapeMarkdown(report.fiscalYear)}`]),
    escapeMarkdown(citedPages(quote)),
  ];
  return `${facts.join(', ')} · [${show}](${link}) · [PDF](${markdownTarget(path)}#page=${page})`;
}

/** For any text: one line, without markup. */
export function quotePlain(quote: QuotedPassage): string {
  const { exact, report, link } = quote;
  const source = citation('footnote', [report]).trimEnd().replace(/\.$/, '');
  return `“${plainText(exact, longestQuote)}” — ${source}, ${citedPages(quote)}. ${link}`;
}

/** CSL-JSON of the report with the page as locator, and the words as its annotation. */
export function quoteCsl({ exact, report, page, label, last }: QuotedPassage): string {
  const [item] = JSON.parse(citation('csl-json', [report])) as [Record<string, unknown>];
  const ends = [{ page, label }, ...(last ? [last] : [])];
  const locator = ends.map((end) => plainText(end.label ?? '', 40) || String(end.page)).join('–');
  return `${JSON.stringify([{ ...item, locator, label: 'page', annote: plainText(exact, longestQuote) }], undefined, 2)}\n`;
}

const nothing: Readonly<Record<CodeLanguage, string>> = { python: 'None', r: 'NA' };

/** A text, a number or nothing as a literal. */
export function valueLiteral(value: string | number | null, language: CodeLanguage): string {
  if (value === null) return nothing[language];
  return typeof value === 'number' ? String(value) : textLiteral(value);
}

/** Code that holds the quote and its source as values. */
export function quoteCode(quote: QuotedPassage, language: CodeLanguage): string {
  const { report, page, label } = quote;
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
  }).map(([name, value]) => [name, valueLiteral(value, language)] as const);
  if (language === 'python')
    return `quote = {\n${values.map(([name, value]) => `    "${name}": ${value},\n`).join('')}}\n`;
  const members = values.map(([name, value]) => `  ${name} = ${value}`).join(',\n');
  return `quote <- list(\n${members}\n)\n`;
}
