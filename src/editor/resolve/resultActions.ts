import * as vscode from 'vscode';
import { parseCompanyKey } from '../../identifiers/reportKey.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import { type ResolveEntry, statusOf } from '../../protocol/resultsView.ts';
import type { Services } from '../../services.ts';
import { commandIds } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { labelText } from '../common/messages.ts';
import { pickWhileTyping } from '../common/pickWhileTyping.ts';
import { resolveTexts } from './ask.ts';

interface CompanyItem extends vscode.QuickPickItem {
  readonly text: string;
}

/**
 * Asks for another identifier in place of one that did not lead to one company, and asks the service for that. Companies
 * of the library on this machine are offered; the person chooses, never the extension. Undefined when the person leaves.
 */
export async function refine(services: Services, entry: ResolveEntry, log: Log): Promise<ResolveEntry | undefined> {
  const { library } = await services.library();
  const picked = await pickWhileTyping<CompanyItem>(
    library,
    {
      title: vscode.l10n.t('Refine “{0}”', labelText(entry.query)),
      placeholder:
        statusOf(entry) === 'ambiguous'
          ? vscode.l10n.t('Which company is meant? Choose it, or type MIC:TICKER, LEI, ISIN or FIGI')
          : vscode.l10n.t('Type MIC:TICKER, LEI, ISIN, FIGI or the exact name, or choose a company'),
      async itemsFor(calls, words) {
        const text = words.trim();
        const companies = await calls.findCompanies(text === '' ? entry.query : text, 50);
        const typed = { label: vscode.l10n.t('$(search) Ask for “{0}”', labelText(text)), text };
        return [...(text === '' ? [] : [typed]), ...companies.map(itemOf)];
      },
    },
    log,
  );
  if (!picked) return undefined;
  const { entries } = await resolveTexts(services, [picked.text]);
  const [answer] = entries;
  return answer && { ...answer, query: entry.query, refined: picked.text };
}

function itemOf(company: LibraryCompany): CompanyItem {
  const parts = parseCompanyKey(company.company_key);
  const text = parts?.listed ? `${parts.mic}:${parts.ticker}` : (company.lei ?? company.company_key);
  return {
    label: labelText(company.company_name ?? company.company_key),
    description: labelText(text),
    detail: labelText([company.country, company.sector].filter((part) => part !== null).join(' · ')),
    text,
  };
}

/**
 * Offers the PDFs of companies, all or the newest fiscal year of each, from what the library on this machine knows.
 * The download shows its plan and asks before it starts.
 * @throws Error when the library knows of no PDF of theirs
 */
export async function downloadCompanies(services: Services, companyKeys: readonly string[]): Promise<void> {
  const { library } = await services.library();
  const all = await library.reportIds({ company_key: companyKeys, facts: { has_file: true } });
  if (all.length === 0) {
    throw new Error(
      vscode.l10n.t('The library on this machine knows no PDF of these companies yet. Run Sync Now, then try again.'),
    );
  }
  const newest = new Set<number>();
  for (const key of companyKeys) {
    const year = (await library.company(key))?.newest ?? null;
    const query = { company_key: [key], fcyear: [year], facts: { has_file: true } } as const;
    for (const id of await library.reportIds(query)) newest.add(id);
  }
  const item = (label: string, ids: readonly number[]) => ({ label, description: counted(ids.length), ids });
  const chosen = await vscode.window.showQuickPick(
    [
      item(vscode.l10n.t('Newest Fiscal Year of Each Company'), [...newest]),
      item(vscode.l10n.t('All Fiscal Years'), all),
    ].filter(({ ids }) => ids.length > 0),
    {
      title: vscode.l10n.t('Download PDFs'),
      placeHolder: vscode.l10n.t('Reports of {0} matched companies', companyKeys.length.toLocaleString()),
    },
  );
  if (chosen) await downloadReports(chosen.ids);
}

/** Downloads reports as a person who chose them in a list would. */
export async function downloadReports(reportIds: readonly number[]): Promise<void> {
  const chosen = reportIds.map((report_id) => ({ report_id }));
  await vscode.commands.executeCommand(commandIds.downloadReports, chosen[0], chosen);
}

function counted(count: number): string {
  return count === 1 ? vscode.l10n.t('1 PDF') : vscode.l10n.t('{0} PDFs', count.toLocaleString());
}
