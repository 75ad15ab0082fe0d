import * as vscode from 'vscode';
import { breather } from '../../base/clock.ts';
import { countText } from '../../base/words.ts';
import { cleanText } from '../../identifiers/codes.ts';
import { findIdentifiers } from '../../identifiers/find.ts';
import type { IdentifierKind } from '../../identifiers/recognize.ts';
import { type ColumnGuess, certainKind, decodeText, type IdentifierTable, readTable } from '../../identifiers/table.ts';
import { knownDelimiter } from '../common/csvDocument.ts';
import { fileName } from '../common/messages.ts';

/** Longer texts would hold up the editor while they are read. In characters. */
export const maxDocumentText = 2_000_000;

/**
 * The text of a document as it stands in the editor, saved or not.
 * @throws Error when it is too long to be read here
 */
export function documentText(document: vscode.TextDocument): string {
  const { end } = document.lineAt(document.lineCount - 1).range;
  if (document.offsetAt(end) > maxDocumentText) throw tooLong(document.uri);
  return document.getText();
}

/** Says of a document that it is too long, and what to do. */
export function tooLong(document: vscode.Uri): Error {
  return new Error(
    vscode.l10n.t(
      '{0} is too large: up to {1} characters can be read. Split it, or copy the part you need and use the clipboard.',
      fileName(document),
      countText(maxDocumentText),
    ),
  );
}

/** The document as a table, as it stands in the editor, saved or not. */
export function readCsvDocument(document: vscode.TextDocument): IdentifierTable {
  return readTable(documentText(document), knownDelimiter(document));
}

/**
 * Opens a table in the encoding of its file. A file that is no UTF-8 is opened as Windows-1252: as UTF-8 the editor
 * would show U+FFFD in place of its letters, and save that.
 */
export async function openInItsEncoding(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty || !document.getText().includes('\uFFFD')) return document;
  const { encoding } = decodeText(await vscode.workspace.fs.readFile(uri));
  return encoding === 'Windows-1252' ? vscode.workspace.openTextDocument(uri, { encoding: 'windows1252' }) : document;
}

/** `11 of 13 recognized: 5 ISIN, 2 LEI, 4 MIC:TICKER`, for a person who confirms the guess. */
export function guessWords({ filled, sampled, recognized, kinds }: ColumnGuess): string {
  if (filled === 0) return vscode.l10n.t('empty');
  const looked = sampled < filled ? vscode.l10n.t('a sample of {0}', countText(sampled)) : countText(sampled);
  const found = kinds.map(({ kind, count }) => `${countText(count)} ${kindWords[kind]}`).join(', ');
  const share = vscode.l10n.t('{0} of {1} recognized', countText(recognized), looked);
  return found === '' ? share : `${share}: ${found}`;
}

const brackets: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' };

/** A comma before a legal form belongs to a name: `Amazon.com, Inc.`. */
const dividers =
  /[;\t\r\n]|,(?!\s*(?:inc|incorporated|corp|corporation|co|company|llc|l\.l\.c|ltd|limited|plc|llp|lp|gmbh|kgaa|ag|se|s\.?a|n\.?v|b\.?v|s\.?p\.?a|ab|a\/s|asa|oyj?|pty|pte|k\.?k|s\.?a\.?s|s\.?r\.?l|s\.?a\.?b\.? de c\.?v|ltda|p?jsc|tbk|bhd)\b\.?\s*(?:[,;\t\r\n]|$))/iu;

/** The same for a list of codes, where `SE` and `AG` may be tickers: nothing in it has a blank or a small letter. */
const codeDividers = /[,;\t\r\n]/;

/** `CIK: 900,412` and `9,900,412`; `700,939` may be two numbers. */
const groupedNumber =
  /(?<![\w.])(?<![0-9],)(?:cik[\s:#=]*[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:,[0-9]{3}){2,3})(?!\w|,[0-9])/giu;

function partsOf(given: string): string[] {
  const text = given.replace(groupedNumber, (number) => number.replaceAll(',', ''));
  const isOfCodes = !/\p{Ll}|\S +\S/u.test(text.replace(/[,;] +/g, ','));
  return text.split(isOfCodes ? codeDividers : dividers);
}

/** One piece for each line, and for each part that commas, semicolons or tabs divide. */
export function splitPieces(text: string): string[] {
  return partsOf(text)
    .map(bare)
    .filter((piece) => piece !== '');
}

/** What somebody typed asks for: a list, where blanks divide too if nothing but identifiers stands between them. */
export function typedPieces(text: string): string[] {
  return splitPieces(text).flatMap((piece) => {
    const parts = piece.split(/\s+/);
    return parts.every((part) => certainKind(part) !== null) ? parts : [piece];
  });
}

/**
 * What a text asks for. A list gives its pieces; a piece that merely holds identifiers, such as a line of code, gives
 * those. In a program or a prose text nothing but the identifiers in it counts, if it has any.
 */
export async function askedIn(text: string, form: 'list' | 'prose'): Promise<string[]> {
  const rest = breather();
  const found: string[] = [];
  if (form === 'prose') {
    for (const line of text.split(/\r\n|\r|\n/)) {
      found.push(...held(line));
      await rest();
    }
    if (found.length > 0) return found;
  }
  for (const part of partsOf(text)) {
    const piece = bare(part);
    const isWhole = piece === '' || (certainKind(piece) !== null && !/[=\s]/.test(piece));
    const inside = isWhole ? [] : held(piece);
    if (piece !== '') found.push(...(inside.length > 0 ? inside : [piece]));
    await rest();
  }
  return found;
}

function held(text: string): string[] {
  return findIdentifiers(text).map(({ kind, value }) => (kind === 'cik' ? `CIK ${value}` : value));
}

/** Longer pieces are no identifiers, whatever stands around them. */
const longestPiece = 1_000;

/** A piece without the quotes, brackets and bullets that lists in programs and documents have around it. */
function bare(piece: string): string {
  let rest = cleanText(piece.replace(/^\s*[-*•]\s+/u, ''));
  while (rest.length <= longestPiece) {
    const open = rest[0] ?? '';
    const close = brackets[open];
    const last = rest.at(-1) ?? '';
    const opening = Object.keys(brackets).find((each) => brackets[each] === last);
    const before = rest;
    if (close !== undefined && !rest.includes(close)) rest = cleanText(rest.slice(1));
    else if (close !== undefined && last === close && rest.indexOf(close) === rest.length - 1) {
      rest = cleanText(rest.slice(1, -1));
    } else if (opening !== undefined && !rest.includes(opening)) rest = cleanText(rest.slice(0, -1));
    if (rest === before || rest === '') return rest;
  }
  return rest;
}

export const kindWords: Readonly<Record<IdentifierKind, string>> = {
  isin: 'ISIN',
  lei: 'LEI',
  figi: 'FIGI',
  cik: 'CIK',
  ticker: 'MIC:TICKER',
  symbol: vscode.l10n.t('symbol'),
  name: vscode.l10n.t('name'),
  'report-key': vscode.l10n.t('report key'),
};
