import * as vscode from 'vscode';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import { findReports } from '../../library/findReports.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { reportPickItem } from '../common/chooseReports.ts';
import { commandIds } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { labelText } from '../common/messages.ts';
import { pickWhileTyping } from '../common/pickWhileTyping.ts';

interface Hit extends vscode.QuickPickItem {
  readonly open?: () => unknown;
}

const companyHits = 8;
const reportHits = 50;

/** Shows results while the user types; opens what is chosen. Asks the library alone, never the service. */
export async function find(library: Library, text: string, log: Log): Promise<void> {
  const hit = await pickWhileTyping<Hit>(
    library,
    {
      title: vscode.l10n.t('Find Company or Report'),
      placeholder: vscode.l10n.t('Name, title, identifier, key; for example “mistral 2023”'),
      words: text,
      itemsFor: hitsFor,
      canPick: ({ open }) => open !== undefined,
    },
    log,
  );
  await hit?.open?.();
}

async function hitsFor(calls: LibraryCalls, words: string): Promise<readonly Hit[]> {
  if (words.trim() === '') return [];
  const [companies, { reports }] = await Promise.all([
    calls.findCompanies(words, companyHits),
    findReports(calls, words, reportHits),
  ]);
  const hits: Hit[] = [];
  if (companies.length > 0) hits.push(heading(vscode.l10n.t('Companies')), ...companies.map(companyHit));
  if (reports.length > 0) hits.push(heading(vscode.l10n.t('Reports')), ...reports.map(reportHit));
  return hits.length > 0 ? hits : [{ label: vscode.l10n.t('Nothing found in your library') }];
}

function heading(label: string): Hit {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function companyHit(company: LibraryCompany): Hit {
  return {
    label: `$(organization) ${labelText(company.company_name ?? company.company_key)}`,
    description: labelText([company.company_key, company.country].filter((part) => part !== null).join(' · ')),
    open: () => vscode.commands.executeCommand(commandIds.openCompany, company.company_key),
  };
}

function reportHit(report: ReportSummary): Hit {
  return {
    ...reportPickItem(report),
    open: () => vscode.commands.executeCommand(commandIds.openReport, report.report_id),
  };
}
