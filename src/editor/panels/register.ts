import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { AskedResults } from '../../protocol/askedResults.ts';
import type { Services } from '../../services.ts';
import { registerCommand, registerCommands } from '../common/commands.ts';
import { panelViewTypes } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import type { PanelPorts } from './context.ts';

/** What other features may ask of the panels. */
export interface PanelsApi extends Disposable {
  showResults(results: AskedResults): Promise<void>;
}

/** Open Report…, Open Schema Dictionary, Compare Reports, Show Usage Details, and the panels' restoring. The panels' code is loaded with the first one. */
export function registerPanels(ports: () => Promise<PanelPorts>, services: Services, log: Log): PanelsApi {
  const store = new DisposableStore();
  const panels = lazy(async () => {
    const { openPanels } = await import('./openPanels.ts');
    return store.add(openPanels(await ports()));
  });

  for (const viewType of Object.values(panelViewTypes)) {
    const deserializeWebviewPanel = async (panel: vscode.WebviewPanel, state: unknown) =>
      (await panels.get()).restore(panel, state);
    store.add(vscode.window.registerWebviewPanelSerializer(viewType, { deserializeWebviewPanel }));
  }
  store.add(
    registerCommand('openReport', log, async (...args) => {
      const { reportOf } = await import('./findReport.ts');
      const report = await reportOf(services, args);
      if (report !== undefined) (await panels.get()).showReport(report);
    }),
  );
  store.add(
    registerCommand('openSchema', log, async (column) =>
      (await panels.get()).showSchema(typeof column === 'string' ? column : undefined),
    ),
  );
  store.add(
    registerCommands(['showCompany', 'showCoverage'], log, async () =>
      (await import('./coverageCommands.ts')).coverageCommands(await panels.get()),
    ),
  );
  store.add(
    registerCommand('compareReports', log, async (...args) => {
      const { reportsToCompare } = await import('./compareArguments.ts');
      const { ids, isWhole } = reportsToCompare(args);
      const open = await panels.get();
      if (isWhole) open.showComparison(ids);
      else await open.chooseComparison(ids);
    }),
  );
  store.add(registerCommand('showUsage', log, async () => (await panels.get()).showUsage()));
  return {
    showResults: async (results) => (await panels.get()).showResults(results),
    dispose: () => store.dispose(),
  };
}
