import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { ReportQuery } from '../../library/reportQuery.ts';
import type { Services } from '../../services.ts';
import { chooseReports, mostOffered } from '../common/chooseReports.ts';

/** As many as fit one look; what is more comes from a company, a fiscal year or a filter. */
const most = 500;

/** Has a person who chose nothing in a tree choose the reports whose PDFs to download. Undefined when they leave. */
export async function askWhatToDownload(services: Services, log: Logger): Promise<readonly number[] | undefined> {
  const { library } = await services.library();
  const among: ReportQuery = { facts: { has_file: true } };
  return chooseReports(
    library,
    [],
    {
      title: vscode.l10n.t('Download PDFs'),
      wrongCount: vscode.l10n.t('Download PDFs: at most {0} at a time here', most),
      placeholder: vscode.l10n.t('Tick the reports; type to search the library'),
      fewest: 1,
      most,
      among,
      offer: async (calls, ticked) => {
        const isTicked = new Set(ticked.map(({ report_id }) => report_id));
        const { items } = await calls.reports(among, { limit: mostOffered });
        return items.filter(({ report_id }) => !isTicked.has(report_id));
      },
    },
    log,
  );
}
