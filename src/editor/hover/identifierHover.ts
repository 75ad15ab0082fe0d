import * as vscode from 'vscode';
import { type Found, identifierAt } from '../../identifiers/find.ts';
import type { Services } from '../../services.ts';
import { commandIds } from '../common/contributions.ts';
import { companyContents } from './companyContents.ts';
import { companiesOf, signedInLibrary } from './known.ts';
import { linkLine, PlainMarkdown } from './markdown.ts';
import { reportContents } from './reportContents.ts';

const mostCompanies = 3;
const checked = { isin: 'ISIN', lei: 'LEI', figi: 'FIGI' } as const;

/** What the library on this machine knows of the identifier or report key at a place. */
export async function identifierHover(
  services: Services,
  document: vscode.TextDocument,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<vscode.Hover | undefined> {
  const found = identifierAt(document.lineAt(position.line).text, position.character);
  if (!found) return undefined;
  const library = await signedInLibrary(services, signal);
  if (!library) return undefined;
  const range = new vscode.Range(position.line, found.start, position.line, found.end);
  if (found.kind === 'report-key') {
    const stored = await library.report(found.value);
    return stored ? new vscode.Hover(reportContents(stored), range) : undefined;
  }
  const companies = await companiesOf(library, found);
  if (companies.length === 0) return unknownHover(found, range);
  const shown = await Promise.all(
    companies.slice(0, mostCompanies).map((company) => companyContents(library, company)),
  );
  const many = vscode.l10n.t('{0} companies of your library have this identifier.', companies.length);
  const head = companies.length > 1 ? [new PlainMarkdown().text(many).markdown] : [];
  return new vscode.Hover([...head, ...shown.flat()], range);
}

/** A code whose check digit holds is worth a word even when it is not here; anything else may not be meant at all. */
function unknownHover({ kind, value }: Found, range: vscode.Range): vscode.Hover | undefined {
  if (kind !== 'isin' && kind !== 'lei' && kind !== 'figi') return undefined;
  const words = vscode.l10n.t('{0}, the check digit is right. Not in the library on this machine.', checked[kind]);
  const ask = { title: vscode.l10n.t('Ask the Service'), command: commandIds.resolveIdentifiers, argument: value };
  return new vscode.Hover([new PlainMarkdown().text(words).markdown, linkLine([ask])], range);
}
