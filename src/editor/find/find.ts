import * as vscode from 'vscode';
import { findReports } from '../../library/findReports.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import { reportPickItem } from '../common/chooseReports.ts';
import { commandIds } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { labelText } from '../common/messages.ts';
import { pickWhileTyping } from '../common/pickWhileTyping.ts';

interface FoundItem extends vscode.QuickPickItem {
  readonly open?: () => unknown;
}

const maxCompanies = 8;
const maxReports = 50;

/** Shows results while the user types; opens what is chosen. Asks the library alone, never the service. */
export async function find(library: Library, text: string, log: Log): Promise<void> {
  const found = await pickWhileTyping<FoundItem>(
    library,
    {
      title: vscode.l10n.t('Find Company or Report'),
      placeholder: vscode.l10n.t('Name, title, identifier, key; for example “mistral 2023”'),
      words: text,
      itemsFor,
      canPick: ({ open }) => open !== undefined,
    },
    log,
  );
  await found?.open?.();
}

async function itemsFor(calls: LibraryCalls, words: string): Promise<readonly FoundItem[]> {
  if (words.trim() === '') return [];
  const [companies, { reports }] = await Promise.all([
    calls.findCompanies(words, maxCompanies),
    findReports(calls, words, maxReports),
  ]);
  const items: FoundItem[] = [];
  if (companies.length > 0) items.push(heading(vscode.l10n.t('Companies')));
  for (const { company_key, company_name, country } of companies) {
    items.push({
      label: `$(organization) ${labelText(company_name ?? company_key)}`,
      description: labelText([company_key, country].filter((part) => part !== null).join(' · ')),
      open: () => vscode.commands.executeCommand(commandIds.openCompany, company_key),
    });
  }
  if (reports.length > 0) items.push(heading(vscode.l10n.t('Reports')));
  for (const report of reports) {
    const open = () => vscode.commands.executeCommand(commandIds.openReport, report.report_id);
    items.push({ ...reportPickItem(report), open });
  }
  return items.length > 0 ? items : [{ label: vscode.l10n.t('Nothing found in your library') }];
}

function heading(label: string): FoundItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
