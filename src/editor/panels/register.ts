import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { AskedResults } from '../../protocol/askedResults.ts';
import type { Services } from '../../services.ts';
import { registerCommands } from '../common/commands.ts';
import { panelViewTypes } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import type { PanelPorts } from './context.ts';

/** What other features may ask of the panels. */
export interface PanelsApi extends Disposable {
  showResults(results: AskedResults): Promise<void>;
}

/** The commands that open panels, and the panels' restoring. The panels' code is loaded with the first one. */
export function registerPanels(ports: () => Promise<PanelPorts>, services: Services, log: Log): PanelsApi {
  const store = new DisposableStore();
  const panels = once(async () => {
    const { openPanels } = await import('./openPanels.ts');
    return store.add(openPanels(await ports()));
  });

  for (const viewType of Object.values(panelViewTypes)) {
    const deserializeWebviewPanel = async (panel: vscode.WebviewPanel, state: unknown) =>
      (await panels.get()).restore(panel, state);
    store.add(vscode.window.registerWebviewPanelSerializer(viewType, { deserializeWebviewPanel }));
  }
  store.add(
    registerCommands(
      [
        'openReport',
        'openSchema',
        'showCompany',
        'showCoverage',
        'showFilteredCoverage',
        'compareReports',
        'showUsage',
      ],
      log,
      async () => (await import('./commands.ts')).panelCommands(services, await panels.get(), log),
    ),
  );
  return {
    showResults: async (results) => (await panels.get()).showResults(results),
    dispose: () => store.dispose(),
  };
}
