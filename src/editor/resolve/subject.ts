import * as vscode from 'vscode';
import { type IdentifierKind, recognise } from '../../identifiers/recognise.ts';

/** What is looked up: companies by their identifiers, or reports by their keys. */
export type Subject = 'identifiers' | 'report-keys';

const codes: ReadonlySet<IdentifierKind> = new Set(['isin', 'lei', 'figi', 'ticker']);

/** The kind of a text that is, by its form alone, what the subject looks for; null for what may be anything. */
export function certainKind(text: string, subject: Subject): IdentifierKind | null {
  const { kind, problem } = recognise(text);
  if (problem !== undefined) return null;
  if (subject === 'report-keys') return kind === 'report-key' ? kind : null;
  return codes.has(kind) ? kind : null;
}

/** What a person calls each kind. */
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
