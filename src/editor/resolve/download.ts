import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { commandIds } from '../common/contributions.ts';

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
