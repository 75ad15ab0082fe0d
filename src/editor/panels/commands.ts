import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { reportGroups } from '../common/arguments.ts';
import type { CommandRun } from '../common/commands.ts';
import type { Log } from '../common/log.ts';
import { reportsToCompare } from './compareArguments.ts';
import { reportOf } from './findReport.ts';
import type { OpenPanels } from './openPanels.ts';

/** The commands that open a panel. They take ids, keys, the tree nodes of a menu, or nothing, and then ask. */
export function panelCommands(
  services: Services,
  panels: OpenPanels,
  log: Log,
): Readonly<
  Record<
    | 'openReport'
    | 'openSchema'
    | 'showCompany'
    | 'showCoverage'
    | 'showFilteredCoverage'
    | 'compareReports'
    | 'showUsage',
    CommandRun
  >
> {
  return {
    async openReport(...args) {
      const report = await reportOf(services, args, log);
      if (report !== undefined) panels.showReport(report);
    },
    async openSchema(column) {
      panels.showSchema(typeof column === 'string' ? column : undefined);
    },
    async showCompany(target) {
      const key = typeof target === 'string' ? target : reportGroups([target])[0]?.companyKey;
      if (key === undefined)
        throw new Error(vscode.l10n.t('Choose a company in the Watchlist, or run Open Company… to find one.'));
      panels.showCompany(key);
    },
    async showCoverage() {
      panels.showCoverage('watchlist');
    },
    async showFilteredCoverage() {
      panels.showCoverage('filter');
    },
    async compareReports(...args) {
      const { ids, isWhole } = reportsToCompare(args);
      if (isWhole) panels.showComparison(ids);
      else await panels.chooseComparison(ids);
    },
    async showUsage() {
      panels.showUsage();
    },
  };
}
