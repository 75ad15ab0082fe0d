import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { ReportQuery } from '../../library/reportQuery.ts';
import type { Services } from '../../services.ts';
import { chooseReports, mostOffered } from './chooseReports.ts';

/** As many as fit one look; what is more comes from a company, a fiscal year or a filter. */
const most = 500;

/**
 * Has a person who chose nothing in a tree tick the reports that a command is about, the newest first. `among` narrows
 * what is offered. Undefined when they leave.
 */
export async function askForReports(
  services: Services,
  { title, among }: { readonly title: string; readonly among: ReportQuery },
  log: Logger,
): Promise<readonly number[] | undefined> {
  const { library } = await services.library();
  return chooseReports(
    library,
    [],
    {
      title,
      wrongCount: vscode.l10n.t('{0}: at most {1} at a time here', title, most),
      placeholder: vscode.l10n.t('Tick the reports; type to search the library'),
      fewest: 1,
      most,
      among,
      offer: async (calls) => (await calls.reports(among, { limit: mostOffered })).items,
    },
    log,
  );
}

/** The reports that have a PDF, as {@link askForReports} takes them. */
export const withPdf: ReportQuery = { facts: { has_file: true } };
