import * as vscode from 'vscode';
import { breather } from '../../base/clock.ts';
import { cleanText } from '../../identifiers/codes.ts';
import { type FoundKind, findIdentifiers } from '../../identifiers/find.ts';
import { type IdentifierKind, recognise } from '../../identifiers/recognise.ts';

const wantedKinds: Readonly<Record<LookupKind, ReadonlySet<FoundKind>>> = {
  identifiers: new Set<FoundKind>(['isin', 'lei', 'figi', 'cik', 'ticker', 'company-key']),
  'report-keys': new Set<FoundKind>(['report-key']),
};
const brackets: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' };

const dividers = /[,;\t\r\n]+/;

/** One piece for each line, and for each part that commas, semicolons or tabs divide. */
export function splitPieces(text: string): string[] {
  return text
    .split(dividers)
    .map(bare)
    .filter((piece) => piece !== '');
}

/** What somebody typed asks for: a list, where blanks divide too if nothing but identifiers stands between them. */
export function typedPieces(text: string, subject: LookupKind): string[] {
  return splitPieces(text).flatMap((piece) => {
    const parts = piece.split(/\s+/);
    return parts.every((part) => certainKind(part, subject) !== null) ? parts : [piece];
  });
}

/**
 * What a text asks for. A list gives its pieces; a piece that merely holds identifiers, such as a line of code, gives
 * those. In a program or a prose text nothing but the identifiers in it counts, if it has any.
 */
export async function askedIn(text: string, subject: LookupKind, form: 'list' | 'prose'): Promise<string[]> {
  const rest = breather();
  const found: string[] = [];
  if (form === 'prose') {
    for (const line of text.split(/\r\n|\r|\n/)) {
      found.push(...held(line, subject));
      await rest();
    }
    if (found.length > 0) return found;
  }
  for (const part of text.split(dividers)) {
    const piece = bare(part);
    const inside = piece === '' || certainKind(piece, subject) !== null ? [] : held(piece, subject);
    if (piece !== '') found.push(...(inside.length > 0 ? inside : [piece]));
    await rest();
  }
  return found;
}

function held(text: string, subject: LookupKind): string[] {
  return findIdentifiers(text)
    .filter(({ kind }) => wantedKinds[subject].has(kind))
    .map(({ kind, value }) => (kind === 'cik' ? `CIK ${value}` : value));
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

/** What is looked up: companies by their identifiers, or reports by their keys. */
export type LookupKind = 'identifiers' | 'report-keys';

const codes: ReadonlySet<IdentifierKind> = new Set(['isin', 'lei', 'figi', 'ticker']);

/** The kind of a text that is, by its form alone, what the subject looks for; null for what may be anything. */
export function certainKind(text: string, subject: LookupKind): IdentifierKind | null {
  const { kind, problem } = recognise(text);
  if (problem !== undefined) return null;
  if (subject === 'report-keys') return kind === 'report-key' ? kind : null;
  return codes.has(kind) ? kind : null;
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
