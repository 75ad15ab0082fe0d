import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import type { Services } from '../../app/session.ts';
import type { Emitter, Event } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import { findReports } from '../../library/findReports.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { reportPickItems } from '../common/chooseReports.ts';
import { type CommandRun, runCommand, setContextKey } from '../common/commands.ts';
import type { Log } from '../common/log.ts';
import { labelText } from '../common/messages.ts';
import { heading, pickWhileTyping } from '../common/pickWhileTyping.ts';
import { companyIcon } from '../common/reportNode.ts';

/** What was chosen: a company by its key, or a report by its id. */
type FoundKey = string | number;

interface FoundItem extends vscode.QuickPickItem {
  readonly chosen?: FoundKey;
  /** An id or key that the library doesn't know; the service may. */
  readonly typed?: string;
}

/** How the picker is opened for all, or for one kind only: its words, and how many of each kind it shows. */
const entrances = {
  all: {
    title: vscode.l10n.t('Find Company or Report'),
    placeholder: vscode.l10n.t(
      'Name, title, identifier, key, country, sector, type or year; for example “mistral 2023”',
    ),
    companies: 8,
    reports: 50,
  },
  reports: {
    title: vscode.l10n.t('Open Report'),
    placeholder: vscode.l10n.t('Company, title, year, report key or ID; former keys work too'),
    companies: 0,
    reports: 50,
  },
  companies: {
    title: vscode.l10n.t('Open Company'),
    placeholder: vscode.l10n.t('Name, key, identifier, country or sector'),
    companies: 50,
    reports: 0,
  },
};

const maxRecent = 10;

/** Shorter text is still being typed; longer text is no key. */
const keyForm = /^\S{3,200}$/;

const memoryKey = (connectionId: string) => `find.recent.${connectionId}`;

/** What was opened last with a connection, newest first; kept in the machine's own memory only. */
export function recentlyOpened(memory: vscode.Memento, connectionId: string): readonly FoundKey[] {
  const stored = memory.get<unknown>(memoryKey(connectionId));
  const isChosen = (item: unknown): item is FoundKey => typeof item === 'string' || Number.isSafeInteger(item);
  return Array.isArray(stored) ? stored.filter(isChosen).slice(0, maxRecent) : [];
}

/** Offers what was opened just now, a company by a key or a report by its id, before anything is typed. */
export async function noteOpened(services: Services, memory: vscode.Memento, opened: FoundKey): Promise<void> {
  if (!('connection' in (await services.ready()))) return;
  const { library, connection } = await services.library();
  const company = typeof opened === 'string' ? await library.company(opened) : null;
  await addRecent(memory, connection.id, company?.company_key ?? opened);
}

async function addRecent(memory: vscode.Memento, connectionId: string, opened: FoundKey): Promise<void> {
  const others = recentlyOpened(memory, connectionId).filter((other) => other !== opened);
  await memory.update(memoryKey(connectionId), [opened, ...others].slice(0, maxRecent));
}

/** The commands of the picker; a key picks in it, too. */
export function findCommands({ services, sync, extension, log }: App, insertKey: Emitter<void>) {
  return {
    async find(asked) {
      sync.start();
      const { library, connection } = await services.library();
      const { globalState, extensionUri } = extension;
      await findWhileTyping(library, asked, {
        extensionUri,
        log,
        onInsertKey: insertKey.event,
        recent: recentlyOpened(globalState, connection.id),
        note: (opened) => addRecent(globalState, connection.id, opened),
      });
    },
    insertFound: async () => insertKey.fire(),
  } satisfies Readonly<Record<string, CommandRun>>;
}

interface FindPorts {
  readonly recent: readonly FoundKey[];
  note(opened: FoundKey): Promise<void>;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  /** Fires when the key of Insert into Notebook is pressed. */
  readonly onInsertKey: Event<void>;
}

/**
 * Shows results while the user types; opens what is chosen, or inserts a report by its button or key. Asks the library
 * alone, never the service.
 * @param asked the words to start with, or `{ only: 'reports' }` or `{ only: 'companies' }` for the other entrances
 */
export async function findWhileTyping(
  library: Library,
  asked: unknown,
  { recent, note, extensionUri, log, onInsertKey }: FindPorts,
): Promise<void> {
  const only = isObject(asked) && (asked.only === 'reports' || asked.only === 'companies') ? asked.only : undefined;
  const entrance = entrances[only ?? 'all'];
  let inserted: FoundItem | undefined;
  const icon = companyIcon(extensionUri);
  const companyItems = (companies: readonly LibraryCompany[]) =>
    companies.map((company) => ({ ...companyItem(company), iconPath: icon }));
  const grouped = ({ companies, reports }: TypedMatches) => [
    ...group(vscode.l10n.t('Companies'), companyItems(companies)),
    ...group(vscode.l10n.t('Reports'), reportItems(reports)),
  ];
  const offered = async (calls: LibraryCalls): Promise<FoundItem[]> => {
    const { companies, reports } = await recentlyFound(calls, recent);
    const items = [
      ...(entrance.companies > 0 ? companyItems(companies) : []),
      ...(entrance.reports > 0 ? reportItems(reports) : []),
    ];
    const newestFirst = recent.flatMap((chosen) => items.find((item) => item.chosen === chosen) ?? []);
    return [
      ...group(vscode.l10n.t('Recently Opened'), newestFirst),
      ...(only ? grouped(await first(calls, only)) : []),
    ];
  };
  void setContextKey('reportLibrary.finding', true);
  const found = await pickWhileTyping<FoundItem>(
    library,
    {
      title: entrance.title,
      placeholder: entrance.placeholder,
      words: typeof asked === 'string' ? asked : '',
      async itemsFor(calls, words) {
        const text = words.trim();
        if (text === '') return offered(calls);
        const { isNamed, ...matches } = await foundFor(calls, text, entrance);
        const items = grouped(matches);
        const mayBeKey = only === 'reports' && !isNamed && keyForm.test(text);
        // A typed id or key is meant as one; a word that merely could be one is a word first.
        if (mayBeKey) return /[_:]|^\d+$/.test(text) ? [serviceItem(text), ...items] : [...items, serviceItem(text)];
        return items.length > 0 ? items : [{ label: vscode.l10n.t('Nothing found in your library') }];
      },
      canPick: ({ chosen, typed }) => (chosen ?? typed) !== undefined,
      instead: {
        onKey: onInsertKey,
        take: (item) => {
          inserted = item;
        },
      },
    },
    log,
  ).finally(() => setContextKey('reportLibrary.finding', false));
  const { chosen, typed } = inserted ?? found ?? {};
  if (chosen === undefined) return typed === undefined ? undefined : runCommand('openReport', typed);
  await note(chosen);
  if (inserted) return runCommand('insertIntoNotebook', chosen);
  if (typeof chosen === 'number') return runCommand('openReport', chosen);
  // Its years may have to be fetched before the Watchlist shows it; its page need not wait for them.
  const shown = only === 'companies' ? runCommand('openCompany', chosen, { preserveFocus: true }) : undefined;
  await Promise.all([shown, runCommand('showCompany', chosen)]);
}

interface TypedMatches {
  readonly companies: readonly LibraryCompany[];
  readonly reports: readonly ReportSummary[];
}

/** What an entrance for companies or reports alone shows before anything is typed. */
async function first(calls: LibraryCalls, only: 'reports' | 'companies'): Promise<TypedMatches> {
  const limit = entrances[only][only];
  return only === 'reports'
    ? { companies: [], reports: (await calls.reports({}, { limit })).items }
    : { companies: (await calls.companies({}, { limit })).items, reports: [] };
}

/**
 * The companies and reports that match. Words that fit only reports, such as a year, give their company too when all of
 * them are one company's. `isNamed` is true if the words are the id or key of a report.
 */
export async function foundFor(
  calls: LibraryCalls,
  words: string,
  limits: { readonly companies: number; readonly reports: number } = entrances.all,
): Promise<TypedMatches & { readonly isNamed: boolean }> {
  const [companies, { named, reports }] = await Promise.all([
    limits.companies > 0 ? calls.findCompanies(words, limits.companies) : [],
    limits.reports > 0 ? findReports(calls, words, limits.reports) : { named: undefined, reports: [] },
  ]);
  const [key, ...others] = new Set(reports.map(({ company_key }) => company_key));
  const isOneCompany = limits.companies > 0 && companies.length === 0 && key !== undefined && others.length === 0;
  const owner = isOneCompany ? await calls.company(key) : null;
  return { companies: owner ? [owner] : companies, reports, isNamed: named !== undefined };
}

/** What was opened last, as far as the library still holds it. */
async function recentlyFound(calls: LibraryCalls, recent: readonly FoundKey[]): Promise<TypedMatches> {
  const ids = recent.filter((chosen) => typeof chosen === 'number');
  const keys = recent.filter((chosen) => typeof chosen === 'string');
  const [reports, companies] = await Promise.all([
    calls.summaries(ids),
    Promise.all(keys.map((key) => calls.company(key))),
  ]);
  return { reports, companies: companies.filter((company) => company !== null) };
}

function serviceItem(text: string): FoundItem {
  return {
    label: vscode.l10n.t('Ask the service for “{0}”', labelText(text)),
    iconPath: new vscode.ThemeIcon('cloud'),
    description: vscode.l10n.t('an ID, or a current or former key in your license'),
    typed: text,
  };
}

function companyItem({ company_key, company_name, country }: LibraryCompany): FoundItem {
  return {
    label: labelText(company_name ?? company_key),
    description: labelText([company_key, country].filter((part) => part !== null).join(' · ')),
    chosen: company_key,
  };
}

function reportItems(reports: readonly ReportSummary[]): FoundItem[] {
  const insert = { iconPath: new vscode.ThemeIcon('notebook'), tooltip: vscode.l10n.t('Insert into Notebook') };
  return reportPickItems(reports).map((item) => ({
    ...item,
    chosen: item.report.report_id,
    buttons: item.report.has_file === false ? [] : [insert],
  }));
}

function group(label: string, items: readonly FoundItem[]): FoundItem[] {
  return items.length === 0 ? [] : [heading(label), ...items];
}
