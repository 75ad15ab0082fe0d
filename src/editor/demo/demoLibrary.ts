import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { Connection, Services } from '../../app/session.ts';
import { viewIds } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { withViewProgress } from '../common/progress.ts';

const demoConnectionId = 'demo';

/** Keeps the demo service of this window, started on first use. It ends with the window. */
export async function createDemoLibrary(extensionPath: string, log: Log) {
  const { demoThread } = await import('../../demo/demoThread.ts');
  const script = pathToFileURL(join(extensionPath, 'dist', 'demo', 'worker.js'));
  // The catalog changes while one looks, and soon enough to be seen.
  const thread = demoThread(script, { liveSeconds: 180, settlingSeconds: 60 }, log);
  let running: Connection | undefined;
  return {
    async connection(): Promise<Connection> {
      const { baseUrl, key } = await thread.start();
      if (running?.baseUrl === baseUrl && running.key.reveal() === key.reveal()) return running;
      running = { id: demoConnectionId, name: vscode.l10n.t('Demo Library'), baseUrl, key, isDemo: true };
      log.hide(key);
      log.info(vscode.l10n.t('The demo library is running on this computer.'));
      return running;
    },
    dispose: () => thread.dispose(),
  };
}

const walkthrough = 'report-library.report-library#start';

/**
 * Shows where to begin, starts the embedded service, and signs in to it with its throwaway key; the editor then ticks
 * the first step of the walkthrough if it knows it.
 * @param useDemo remembers that the demo is the one in use
 */
export async function openDemo(
  services: Services,
  { demo, useDemo }: { demo(): ReturnType<typeof createDemoLibrary>; useDemo(): Promise<void> },
): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', { category: walkthrough }, false);
  // Else the first click on a report would take its tab.
  await vscode.commands.executeCommand('workbench.action.keepEditor');
  services.connect(await withViewProgress(viewIds.watchlist, async () => (await demo()).connection()));
  await useDemo();
  // The keyboard stays with the walkthrough: where rows come in only now, what the view shows before goes away with it.
  await vscode.commands.executeCommand(`${viewIds.watchlist}.focus`, { preserveFocus: true });
}
