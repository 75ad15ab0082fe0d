import * as vscode from 'vscode';
import type { IdentifierKind } from '../../identifiers/recognise.ts';
import type { CsvTable } from './csvTable.ts';
import { certainKind, kindWords, type Subject } from './subject.ts';

/** What is known of one column before anybody is asked. */
export interface ColumnGuess {
  readonly index: number;
  /** Its name, or `Column 3` where the document has no header. */
  readonly header: string;
  /** Cells that are not empty. */
  readonly filled: number;
  /** Cells looked at; fewer than filled in a long document. */
  readonly sampled: number;
  /** Of these, how many are identifiers by their form. */
  readonly recognised: number;
  /** The kinds among them, most frequent first. */
  readonly kinds: readonly { readonly kind: IdentifierKind; readonly count: number }[];
  readonly samples: readonly string[];
  /** The higher, the likelier; below 0.3 it is a guess in the dark. */
  readonly score: number;
}

const mostSampled = 500;
const mostColumns = 200;
const headerWords: Readonly<Record<Subject, readonly (readonly [pattern: RegExp, bonus: number])[]>> = {
  identifiers: [
    [/\b(?:isin|lei|figi|cik|identifier|company_?key|mic_?ticker)\b/i, 0.4],
    [/\b(?:id|ids|ticker|symbol|security|instrument|ric)\b/i, 0.25],
    [/\b(?:company|issuer|name|holding|entity)\b/i, 0.15],
  ],
  'report-keys': [
    [/\breport_?keys?\b/i, 0.4],
    [/\b(?:keys?|reports?|id)\b/i, 0.15],
  ],
};

/** The columns of a table, the likeliest first. A column of numbers counts as CIKs only when its name says so. */
export function guessColumns(table: CsvTable, subject: Subject): ColumnGuess[] {
  const { records, hasHeader, width } = table;
  const names = hasHeader ? records[0]?.cells : undefined;
  const values = hasHeader ? records.slice(1) : records;
  return Array.from({ length: Math.min(width, mostColumns) }, (_, index) => {
    const header = names?.[index]?.trim() || vscode.l10n.t('Column {0}', index + 1);
    const filled = values.flatMap(({ cells }) => cells[index]?.trim() || []);
    return guess(index, header, filled, subject);
  }).sort((a, b) => b.score - a.score || a.index - b.index);
}

function guess(index: number, header: string, filled: readonly string[], subject: Subject): ColumnGuess {
  const step = Math.max(1, filled.length / mostSampled);
  const sampled = Array.from(
    { length: Math.min(filled.length, mostSampled) },
    (_, at) => filled[Math.floor(at * step)],
  );
  const counts = new Map<IdentifierKind, number>();
  for (const cell of sampled) {
    const kind = cell === undefined ? null : kindOf(cell, header, subject);
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const recognised = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const bonus = headerWords[subject].find(([pattern]) => pattern.test(header))?.[1] ?? 0;
  return {
    index,
    header,
    filled: filled.length,
    sampled: sampled.length,
    recognised,
    kinds: [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count),
    samples: [...new Set(filled)].slice(0, 4),
    score: filled.length === 0 ? -1 : recognised / sampled.length + bonus,
  };
}

function kindOf(cell: string, header: string, subject: Subject): IdentifierKind | null {
  if (subject === 'identifiers' && /\bcik\b/i.test(header) && /^[0-9]{1,10}$/.test(cell)) return 'cik';
  return certainKind(cell, subject);
}

/** `11 of 13 recognised: 5 ISIN, 2 LEI, 4 MIC:TICKER`, for a person who confirms the guess. */
export function guessWords({ filled, sampled, recognised, kinds }: ColumnGuess): string {
  if (filled === 0) return vscode.l10n.t('empty');
  const looked = sampled < filled ? vscode.l10n.t('{0} looked at', sampled.toLocaleString()) : sampled.toLocaleString();
  const found = kinds.map(({ kind, count }) => `${count.toLocaleString()} ${kindWords[kind]}`).join(', ');
  const share = vscode.l10n.t('{0} of {1} recognised', recognised.toLocaleString(), looked);
  return found === '' ? share : `${share}: ${found}`;
}
