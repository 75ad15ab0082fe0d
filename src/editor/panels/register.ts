import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { LookupResults } from '../../panels/lookups.ts';
import { registerCommands } from '../common/commands.ts';
import { panelViewTypes } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { type PanelKind, panelOf } from '../common/panelUri.ts';
import type { PanelDocument } from './panelEditors.ts';
import type { PanelPorts } from './ports.ts';

/** What other features may ask of the panels. */
interface PanelsApi extends Disposable {
  showResults(results: LookupResults): Promise<void>;
  /** From now on remembers what is opened, which a row of a tree does by a command of the editor's own. */
  follow(): void;
}

/** The panels' editors and the commands that open them. Their code is loaded with the first one. */
export function registerPanels(makePorts: () => Promise<PanelPorts>, log: Log): PanelsApi {
  const store = new DisposableStore();
  const ports = once(makePorts);
  const editors = once(async () => {
    following.get();
    const { openPanels } = await import('./commands.ts');
    return store.add(openPanels(await ports.get()));
  });

  for (const [name, viewType] of Object.entries(panelViewTypes)) {
    const kind = name as PanelKind;
    const provider: vscode.CustomReadonlyEditorProvider<PanelDocument> = {
      openCustomDocument: async (uri) => (await editors.get()).openDocument(kind, uri),
      resolveCustomEditor: async (document, panel) => (await editors.get()).fill(document, panel),
    };
    store.add(
      vscode.window.registerCustomEditorProvider(viewType, provider, {
        supportsMultipleEditorsPerDocument: true,
        // The page is rebuilt when it shows again, so that hidden panels cost no memory.
        webviewOptions: { enableFindWidget: true, retainContextWhenHidden: false },
      }),
    );
  }
  store.add(
    registerCommands(
      ['openReport', 'openSchema', 'showCompany', 'showCoverage', 'openTable', 'compareReports', 'showUsage'],
      log,
      async () => (await import('./commands.ts')).panelCommands(await ports.get(), await editors.get()),
    ),
  );
  // A tab that comes back with its window was opened before, and is not told of here.
  const note = async ({ opened }: vscode.TabChangeEvent) => {
    for (const tab of opened) {
      const key = panelOf(tab);
      if (key?.kind === 'report' || key?.kind === 'company') await (await ports.get()).noteOpened(key);
    }
  };
  const following = once(() =>
    store.add(
      vscode.window.tabGroups.onDidChangeTabs((change) => {
        note(change).catch((error: unknown) => log.warn(`What was opened is not kept: ${String(error)}`));
      }),
    ),
  );
  return {
    follow: () => void following.get(),
    async showResults(results) {
      await (await editors.get()).open({ kind: 'results', subject: results.subject }, results);
    },
    dispose: () => store.dispose(),
  };
}
