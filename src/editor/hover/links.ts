import * as vscode from 'vscode';
import { type Found, findIdentifiers } from '../../identifiers/find.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { Services } from '../../services.ts';
import { commandIds } from '../common/contributions.ts';
import { type CommandCall, commandUri } from './encode.ts';
import { companiesOf, signedInLibrary } from './known.ts';

/** A document gets no more links than this, and no more of it is read: lines, characters of a line, different texts. */
const caps = { lines: 20_000, line: 2_000, texts: 400, links: 2_000 } as const;

/** Links on report keys and identifiers that the library on this machine knows; others are left alone. */
export async function knownLinks(
  services: Services,
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<vscode.DocumentLink[]> {
  const places = placesIn(document);
  if (places.length === 0) return [];
  const library = await signedInLibrary(services, signal);
  if (!library) return [];
  const targets = new Map<string, vscode.DocumentLink['target'] | null>();
  const links: vscode.DocumentLink[] = [];
  for (const { found, line } of places) {
    const name = `${found.kind} ${found.value}`;
    let target = targets.get(name);
    if (target === undefined) {
      if (targets.size >= caps.texts) continue;
      const link = await linkOf(library, found);
      target = link && vscode.Uri.parse(commandUri(link), true);
      targets.set(name, target);
    }
    if (!target) continue;
    const link = new vscode.DocumentLink(new vscode.Range(line, found.start, line, found.end), target);
    link.tooltip = found.kind === 'report-key' ? vscode.l10n.t('Open report') : vscode.l10n.t('Open company');
    links.push(link);
    if (links.length >= caps.links) break;
  }
  return links;
}

function placesIn(document: vscode.TextDocument): { readonly found: Found; readonly line: number }[] {
  const places: { found: Found; line: number }[] = [];
  const last = Math.min(document.lineCount, caps.lines);
  for (let line = 0; line < last && places.length < caps.links; line += 1) {
    const { text } = document.lineAt(line);
    if (text.length < 6) continue;
    for (const found of findIdentifiers(text.slice(0, caps.line))) places.push({ found, line });
  }
  return places;
}

/** Null when the library does not know it, or knows several that it may be. */
async function linkOf(library: LibraryCalls, found: Found): Promise<CommandCall | null> {
  if (found.kind === 'report-key') {
    const stored = await library.report(found.value);
    return stored && { command: commandIds.openReport, argument: stored.report.report_id };
  }
  const [company, ...others] = await companiesOf(library, found);
  return company && others.length === 0 ? { command: commandIds.showCompany, argument: company.company_key } : null;
}
