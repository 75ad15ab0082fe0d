import * as vscode from 'vscode';
import { breather } from '../../base/clock.ts';
import { cikKey } from '../../identifiers/codes.ts';
import { type Found, findIdentifiers } from '../../identifiers/find.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { Services } from '../../services.ts';
import { commandIds } from '../common/contributions.ts';
import { type CommandCall, commandUri } from './markdown.ts';

const maxAlike = 20;

/**
 * The library on this machine of whoever is signed in; undefined when nobody is. Asks the service nothing: what a hover
 * or a link shows is what is here.
 */
export async function signedInLibrary(services: Services, signal: AbortSignal): Promise<LibraryCalls | undefined> {
  const session = await services.ready();
  if (!('connection' in session) || signal.aborted) return undefined;
  return (await services.library()).library.withSignal(signal);
}

/** The companies that an identifier names, exactly; several when it names several. */
export async function companiesOf(library: LibraryCalls, { kind, value }: Found): Promise<readonly LibraryCompany[]> {
  switch (kind) {
    case 'ticker':
    case 'company-key': {
      const company = await library.company(value.replace(':', '_'));
      return company ? [company] : [];
    }
    case 'isin':
    case 'lei':
    case 'figi':
      return alike(library, value, (company) => company[kind]?.toUpperCase() === value);
    case 'cik': {
      const spellings = [...new Set([value, cikKey(value), value.replace(/^0+/, '')])];
      for (const spelling of spellings) {
        const found = await alike(library, spelling, ({ cik }) => cik !== null && cikKey(cik) === cikKey(value));
        if (found.length > 0) return found;
      }
      return [];
    }
    case 'report-key':
      return [];
    default:
      return kind satisfies never;
  }
}

/** The index of words finds what begins alike; only what is the same counts. */
async function alike(
  library: LibraryCalls,
  value: string,
  isSame: (company: LibraryCompany) => boolean,
): Promise<readonly LibraryCompany[]> {
  return (await library.findCompanies(value, maxAlike)).filter(isSame);
}

/** A document gets no more links than this, and no more of it is read: characters, of a line too, different texts. */
const caps = { text: 2_000_000, line: 2_000, texts: 400, links: 2_000 } as const;

/** Links on report keys and identifiers that the library on this machine knows; others are left alone. */
export async function knownLinks(
  services: Services,
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<vscode.DocumentLink[]> {
  const places = await placesIn(document, signal);
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

interface FoundInLine {
  readonly found: Found;
  readonly line: number;
}

async function placesIn(document: vscode.TextDocument, signal: AbortSignal): Promise<FoundInLine[]> {
  const rest = breather();
  const places: FoundInLine[] = [];
  let left: number = caps.text;
  for (let line = 0; line < document.lineCount && left > 0 && places.length < caps.links; line += 1) {
    const text = document.lineAt(line).text.slice(0, caps.line);
    left -= text.length + 1;
    for (const found of findIdentifiers(text)) places.push({ found, line });
    await rest();
    signal.throwIfAborted();
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
