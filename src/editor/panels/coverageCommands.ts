import type { CommandRun } from '../common/commands.ts';
import { reportGroups } from '../common/nodeArguments.ts';
import type { OpenPanels } from './openPanels.ts';

/** Show Company, with a key or the tree node of a menu, and Show Coverage. */
export function coverageCommands(panels: OpenPanels): Readonly<Record<'showCompany' | 'showCoverage', CommandRun>> {
  return {
    async showCompany(target) {
      const key = typeof target === 'string' ? target : reportGroups([target])[0]?.companyKey;
      if (key === undefined) throw new Error('Choose a company in the Watchlist, or run Open Company… to find one.');
      panels.showCompany(key);
    },
    async showCoverage() {
      panels.showCoverage();
    },
  };
}
