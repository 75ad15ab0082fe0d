import * as vscode from 'vscode';
import type { Event } from '../../base/disposable.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import { findReports } from '../../library/findReports.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { reportPickItems } from '../common/chooseReports.ts';
import { setContextKey } from '../common/commands.ts';
import { commandIds } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { labelText } from '../common/messages.ts';
import { heading, pickWhileTyping } from '../common/pickWhileTyping.ts';
import { companyIcon } from '../common/reportNode.ts';

/** What was chosen: a company by its key, or a report by its id. */
type FoundKey = string | number;

interface FoundItem extends vscode.QuickPickItem {
  readonly chosen?: FoundKey;
}

const maxCompanies = 8;
const maxReports = 50;
const maxRecent = 10;

const memoryKey = (connectionId: string) => `find.recent.${connectionId}`;

/** What was opened last with a connection, newest first; kept in the machine's own memory only. */
export function recentlyOpened(memory: vscode.Memento, connectionId: string): readonly FoundKey[] {
  const stored = memory.get<unknown>(memoryKey(connectionId));
  const isChosen = (item: unknown): item is FoundKey => typeof item === 'string' || Number.isSafeInteger(item);
  return Array.isArray(stored) ? stored.filter(isChosen).slice(0, maxRecent) : [];
}

export async function noteOpened(memory: vscode.Memento, connectionId: string, opened: FoundKey): Promise<void> {
  const others = recentlyOpened(memory, connectionId).filter((other) => other !== opened);
  await memory.update(memoryKey(connectionId), [opened, ...others].slice(0, maxRecent));
}

interface FindPorts {
  /** What was opened last. */
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
 */
export async function findWhileTyping(
  library: Library,
  text: string,
  { recent, note, extensionUri, log, onInsertKey }: FindPorts,
): Promise<void> {
  let inserted: FoundItem | undefined;
  const icon = companyIcon(extensionUri);
  const itemsOf = ({ companies, reports }: TypedMatches) => [
    ...companies.map((company) => ({ ...companyItem(company), iconPath: icon })),
    ...reportItems(reports),
  ];
  void setContextKey('reportLibrary.finding', true);
  const found = await pickWhileTyping<FoundItem>(
    library,
    {
      title: vscode.l10n.t('Find Company or Report'),
      placeholder: vscode.l10n.t('Name, title, identifier, key; for example “mistral 2023”'),
      words: text,
      async itemsFor(calls, words) {
        if (words.trim() === '') {
          const items = itemsOf(await recentlyFound(calls, recent));
          const newestFirst = recent.flatMap((chosen) => items.find((item) => item.chosen === chosen) ?? []);
          return group(vscode.l10n.t('Recently Opened'), newestFirst);
        }
        const { companies, reports } = await foundFor(calls, words);
        const items = [
          ...group(vscode.l10n.t('Companies'), itemsOf({ companies, reports: [] })),
          ...group(vscode.l10n.t('Reports'), itemsOf({ companies: [], reports })),
        ];
        return items.length > 0 ? items : [{ label: vscode.l10n.t('Nothing found in your library') }];
      },
      canPick: ({ chosen }) => chosen !== undefined,
      instead: {
        onKey: onInsertKey,
        take: (item) => {
          inserted = item;
        },
      },
    },
    log,
  ).finally(() => setContextKey('reportLibrary.finding', false));
  const chosen = (inserted ?? found)?.chosen;
  if (chosen === undefined) return;
  await note(chosen);
  const open = typeof chosen === 'string' ? commandIds.showCompany : commandIds.openReport;
  await vscode.commands.executeCommand(inserted ? commandIds.insertIntoNotebook : open, chosen);
}

interface TypedMatches {
  readonly companies: readonly LibraryCompany[];
  readonly reports: readonly ReportSummary[];
}

/**
 * The companies and reports that match. Words that fit only reports, such as a year, give their company too when all of
 * them are one company's.
 */
export async function foundFor(calls: LibraryCalls, words: string): Promise<TypedMatches> {
  const [companies, { reports }] = await Promise.all([
    calls.findCompanies(words, maxCompanies),
    findReports(calls, words, maxReports),
  ]);
  const [key, ...others] = new Set(reports.map(({ company_key }) => company_key));
  const owner = companies.length > 0 || key === undefined || others.length > 0 ? null : await calls.company(key);
  return { companies: owner ? [owner] : companies, reports };
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
