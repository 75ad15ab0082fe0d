import * as vscode from 'vscode';
import { reportGroups, reportIds } from '../common/arguments.ts';
import { type CommandRun, runCommand } from '../common/commands.ts';
import { maxCompared } from '../common/panelUri.ts';
import { filterFromArgument, isEmptyFilter } from '../common/reportsFilter.ts';
import { rememberedFilter, rememberFilter } from '../common/savedFilters.ts';
import { reportNamed } from './chosenReport.ts';
import { chooseComparison, reportsToCompare } from './comparePanel.ts';
import type { PanelEditors } from './panelEditors.ts';
import type { PanelPorts } from './ports.ts';

/** The commands that open a panel. They take ids, keys, the tree nodes of a menu, or nothing, and then ask. */
export function panelCommands(ports: PanelPorts, editors: PanelEditors) {
  return {
    async openReport(...args) {
      const [first] = args;
      const named = typeof first === 'string' ? await reportNamed(ports.services, first) : undefined;
      const reportId = named ?? reportIds(args)[0];
      if (reportId === undefined) return runCommand('find', { only: 'reports' });
      await editors.open({ kind: 'report', reportId });
    },
    openSchema: (column) => editors.open({ kind: 'schema' }, typeof column === 'string' ? { column } : undefined),
    async showCompany(target) {
      const companyKey = typeof target === 'string' ? target : reportGroups([target])[0]?.companyKey;
      if (companyKey === undefined)
        throw new Error(vscode.l10n.t('Choose a company in the Watchlist, or run Open Company… to find one.'));
      // From a tree as a preview, like a report's, which a double click on its tab keeps.
      await editors.open({ kind: 'company', companyKey }, undefined, { preview: typeof target !== 'string' });
    },
    showCoverage: () => editors.open({ kind: 'coverage' }, { scope: 'filter' }),
    async openTable(argument) {
      const isGiven = typeof argument === 'object' && argument !== null && !('kind' in argument);
      const { workspace } = ports.memory;
      const filter = isGiven ? filterFromArgument(argument) : rememberedFilter(workspace);
      // An open table keeps what it was narrowed to, and its selection: it has a way of its own to the other filter.
      const isNarrowed = !isEmptyFilter(rememberedFilter(workspace, 'table'));
      const isKept = editors.isOpen({ kind: 'table' }) && (isNarrowed || isEmptyFilter(filter));
      const isAsked = isGiven || !isKept;
      if (isAsked) await rememberFilter(ports.memory.workspace, filter, 'table');
      await editors.open({ kind: 'table' }, isAsked ? { filter } : undefined);
    },
    async compareReports(...args) {
      const isAsked = args.length === 0 || args[0] === undefined;
      const ticked = isAsked ? reportIds([ports.selection()]).slice(0, maxCompared) : [];
      const { ids, isWhole } = isAsked ? { ids: ticked, isWhole: false } : reportsToCompare(args);
      if (isWhole) await editors.open({ kind: 'compare', reportIds: ids });
      else await chooseComparison(ports, editors, ids);
    },
    showUsage: () => editors.open({ kind: 'usage' }),
  } satisfies Readonly<Record<string, CommandRun>>;
}
