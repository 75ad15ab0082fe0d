import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { showProblem } from '../common/messages.ts';
import { quotesMime } from '../common/treeDrag.ts';
import { pdfOfRecord, recordOfId } from './openEvidence.ts';
import type { EvidencePorts } from './ports.ts';
import { quoteHit } from './quote.ts';
import { type PlaceFor, takeAgain } from './take.ts';

/**
 * Handles a drop: of a search result its sentence, as a new quote; of a row of evidence its quote or table.
 * @returns an edit without text, since the quote is inserted here; no edit for other things
 */
export async function dropQuotes(
  ports: EvidencePorts,
  document: vscode.TextDocument,
  position: vscode.Position,
  transfer: vscode.DataTransfer,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentDropEdit[]> {
  const quotes = quotesIn(await transfer.get(quotesMime)?.asString());
  // A drag of reports names this type too, and an edit without text would take the place of theirs.
  if (quotes.length === 0) return [];
  const placeFor: PlaceFor = (kind) => ports.placeAt(document, position, kind);
  try {
    // Each goes directly below the line, so the last one goes first.
    for (const one of quotes.toReversed()) {
      if (token.isCancellationRequested) break;
      if (isObject(one) && typeof one.id === 'string') await insertAgain(ports, one.id, placeFor);
      else await quoteHit(ports, one, placeFor);
    }
  } catch (error) {
    showProblem(error, ports.log);
  }
  const kind = vscode.DocumentDropOrPasteEditKind.Empty.append('reportLibrary', 'quote');
  return [new vscode.DocumentDropEdit('', vscode.l10n.t('Quote'), kind)];
}

function quotesIn(dropped = '[]'): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(dropped);
    return Array.isArray(list) ? list : [];
  } catch {
    // Any extension may drag something under our type.
    return [];
  }
}

/** Inserts what a record is of, whose link leads to that record. @throws Error with words for a person */
export async function insertAgain(ports: EvidencePorts, id: string, placeFor: PlaceFor): Promise<void> {
  const record = await recordOfId(ports, id);
  await takeAgain(ports, await pdfOfRecord(ports, record), record, placeFor);
}
