import * as vscode from 'vscode';
import { type UsageFacts, usageBlocks } from '../../panels/usage.ts';
import { reportGroups, reportIds } from '../common/arguments.ts';
import { assistantDownloads } from '../common/assistantDownloads.ts';
import { type CommandRun, runCommand } from '../common/commands.ts';
import { maxCompared } from '../common/panelUri.ts';
import { companyIcon } from '../common/reportNode.ts';
import { filterFromArgument, isEmptyFilter } from '../common/reportsFilter.ts';
import { rememberedFilter, rememberFilter } from '../common/savedFilters.ts';
import { type BlocksOf, showBlocks } from './blocksPanel.ts';
import { reportNamed } from './chosenReport.ts';
import { companyPanel } from './companyPanel.ts';
import { chooseComparison, comparePanel, reportsToCompare } from './comparePanel.ts';
import type { PanelPorts } from './context.ts';
import { coveragePanel } from './coveragePanel.ts';
import type { OpenPanel } from './panel.ts';
import { PanelEditors } from './panelEditors.ts';
import { ReportPanel } from './reportPanel.ts';
import { resultsPanel } from './resultsPanel.ts';
import { schemaPanel } from './schemaPanel.ts';
import { TablePanel } from './tablePanel.ts';

/** The commands that open a panel. They take ids, keys, the tree nodes of a menu, or nothing, and then ask. */
export function panelCommands(ports: PanelPorts, editors: PanelEditors) {
  const openReport: CommandRun = async (...args) => {
    const [first] = args;
    const named = typeof first === 'string' ? await reportNamed(ports.services, first) : undefined;
    const reportId = named ?? reportIds(args)[0];
    if (reportId === undefined) return runCommand('find', { only: 'reports' });
    await editors.open({ kind: 'report', reportId });
  };
  return {
    openReport,
    // The Explorer's menu has it under a name of its own: there one report is shown.
    showReport: openReport,
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
      const workspace = ports.extension.workspaceState;
      const filter = isGiven ? filterFromArgument(argument) : rememberedFilter(workspace);
      // An open table keeps what it was narrowed to, and its selection: it has a way of its own to the other filter.
      const isNarrowed = !isEmptyFilter(rememberedFilter(workspace, 'table'));
      const isKept = editors.isOpen({ kind: 'table' }) && (isNarrowed || isEmptyFilter(filter));
      const isAsked = isGiven || !isKept;
      if (isAsked) await rememberFilter(workspace, filter, 'table');
      await editors.open({ kind: 'table' }, isAsked ? { filter } : undefined);
    },
    async compareReports(...args) {
      const isAsked = args.length === 0 || args[0] === undefined;
      const ticked = isAsked ? reportIds([ports.treeDrag.selection]).slice(0, maxCompared) : [];
      const { ids, isWhole } = isAsked ? { ids: ticked, isWhole: false } : reportsToCompare(args);
      if (isWhole) await editors.open({ kind: 'compare', reportIds: ids });
      else await chooseComparison(ports, editors, ids);
    },
    showUsage: () => editors.open({ kind: 'usage' }),
  } satisfies Readonly<Record<string, CommandRun>>;
}

/** Makes the panels ready to be opened. Opens nothing and asks the service nothing. */
export function openPanels(ports: PanelPorts): PanelEditors {
  return new PanelEditors(ports, {
    report: {
      bundle: 'blocks',
      look: 'report',
      title: vscode.l10n.t('Report'),
      icon: 'notebook',
      connect: (panel, document) => new ReportPanel(panel, ports, document.key.reportId, document),
    },
    company: {
      bundle: 'blocks',
      look: 'company',
      title: vscode.l10n.t('Company'),
      icon: companyIcon(ports.extension.extensionUri),
      connect: (panel, { key }) => companyPanel(panel, ports, key.companyKey),
    },
    compare: {
      bundle: 'blocks',
      look: 'compare',
      title: vscode.l10n.t('Compare Reports'),
      icon: 'diff-multiple',
      connect: (panel, { key }) => comparePanel(panel, ports, key.reportIds),
    },
    schema: {
      bundle: 'blocks',
      look: 'dictionary',
      title: vscode.l10n.t('Schema Dictionary'),
      icon: 'book',
      connect: (panel, document) => schemaPanel(panel, ports, document),
    },
    coverage: {
      bundle: 'coverage',
      title: vscode.l10n.t('Coverage'),
      icon: 'table',
      connect: (panel, document) => coveragePanel(panel, ports, document),
    },
    table: {
      bundle: 'reportTable',
      title: vscode.l10n.t('All Reports as Table'),
      icon: 'list-flat',
      connect: (panel, document) => new TablePanel(panel, ports, document),
    },
    usage: {
      bundle: 'blocks',
      look: 'usage',
      title: vscode.l10n.t('Usage'),
      icon: 'graph',
      connect: (panel) => usagePanel(panel, ports),
    },
    results: {
      bundle: 'blocks',
      look: 'results',
      title: vscode.l10n.t('Resolved Identifiers'),
      icon: 'search-fuzzy',
      connect: (panel, document) => resultsPanel(panel, ports, document),
    },
  });
}

/** The editor's side of the usage panel: the service's own count, read once and with each refresh. */
export function usagePanel(panel: OpenPanel, ports: PanelPorts): void {
  const whole: BlocksOf<UsageFacts> = showBlocks(panel, {
    acts: {
      refresh: () => void whole.reading.readElse(),
      viewAsJson: () =>
        panel.showText('Usage.json', `${JSON.stringify(whole.reading.known().usage.raw, null, 2) ?? 'null'}\n`),
    },
    blocks: usageBlocks,
    read: () => readUsage(panel, ports),
    follows: ({ kind }) => kind === 'session' && 'now',
    failed: 'Usage could not be read for its panel.',
  });
}

/** Asks the service in use for its count. Throws an `ApiError` when nobody is signed in. */
function readUsage({ signal }: OpenPanel, { services, log }: PanelPorts): Promise<UsageFacts> {
  return services.call(async (client) => {
    const usage = await client.usage({ signal });
    const { session } = services;
    const connection = 'connection' in session ? session.connection.name : '';
    return { connection, usage, rate: client.rate, assistants: await assistantDownloads(log).spending() };
  });
}
