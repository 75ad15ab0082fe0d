import * as vscode from 'vscode';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import type { Library } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { commandIds } from '../common/commandIds.ts';
import type { Log } from '../common/log.ts';
import { labelText } from '../common/plainText.ts';
import { typeLabel } from '../common/reportNode.ts';
import { showProblem } from '../common/showProblem.ts';

interface Hit extends vscode.QuickPickItem {
  readonly open?: () => unknown;
}

const companyHits = 8;
const reportHits = 50;

/** Shows results while the user types; opens what is chosen. Asks the library alone, never the service. */
export async function find(library: Library, text: string, log: Log): Promise<void> {
  const box = vscode.window.createQuickPick<Hit>();
  box.title = vscode.l10n.t('Find Company or Report');
  box.placeholder = vscode.l10n.t('Name, title, identifier, key; for example “mistral 2023”');
  // The index decides what matches: it knows identifiers and spellings that the rows do not show.
  box.matchOnDescription = false;
  box.value = text;
  let typing: AbortController | undefined;
  const search = async (words: string) => {
    typing?.abort();
    const mine = new AbortController();
    typing = mine;
    try {
      const hits = await hitsFor(library, words, mine.signal);
      if (!mine.signal.aborted) box.items = hits;
    } catch (error) {
      if (!mine.signal.aborted) showProblem(error, log);
    }
  };
  box.onDidChangeValue(search);
  box.onDidAccept(() => {
    const [hit] = box.selectedItems;
    if (!hit?.open) return;
    box.hide();
    void hit.open();
  });
  box.onDidHide(() => {
    typing?.abort();
    box.dispose();
  });
  box.show();
  await search(text);
}

async function hitsFor(library: Library, words: string, signal: AbortSignal): Promise<Hit[]> {
  if (words.trim() === '') return [];
  const calls = library.withSignal(signal);
  const [companies, reports] = await Promise.all([
    calls.findCompanies(words, companyHits),
    calls.reports({ text: words, state: 'all' }, { limit: reportHits }),
  ]);
  const hits: Hit[] = [];
  if (companies.length > 0) hits.push(heading(vscode.l10n.t('Companies')), ...companies.map(companyHit));
  if (reports.items.length > 0) hits.push(heading(vscode.l10n.t('Reports')), ...reports.items.map(reportHit));
  return hits.length > 0 ? hits : [{ label: vscode.l10n.t('Nothing found in your library'), alwaysShow: true }];
}

function heading(label: string): Hit {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function companyHit(company: LibraryCompany): Hit {
  return {
    label: `$(organization) ${labelText(company.company_name ?? company.company_key)}`,
    description: labelText([company.company_key, company.country].filter((part) => part !== null).join(' · ')),
    alwaysShow: true,
    open: () => vscode.commands.executeCommand(commandIds.openCompany, company.company_key),
  };
}

function reportHit(report: ReportSummary): Hit {
  const year = report.fiscal_year === null ? vscode.l10n.t('undated') : String(report.fiscal_year);
  const gone = report.state === 'listed' ? null : vscode.l10n.t('withdrawn');
  const notes = [report.company_name ?? report.company_key, year, typeLabel(report.type), gone];
  return {
    label: `$(${report.state === 'listed' ? 'file-text' : 'circle-slash'}) ${labelText(report.title ?? report.report_key)}`,
    description: labelText(notes.filter((note) => note !== null).join(' · ')),
    alwaysShow: true,
    open: () => vscode.commands.executeCommand(commandIds.openReport, report.report_id),
  };
}
