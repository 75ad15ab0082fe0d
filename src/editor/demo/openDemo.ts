import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { viewIds } from '../common/contributions.ts';
import { withViewProgress } from '../common/messages.ts';
import type { DemoLibrary } from './demoLibrary.ts';

/** What opening the demo needs: the demo, and a memory that it is the one in use. */
export interface DemoPorts {
  demo(): Promise<DemoLibrary>;
  useDemo(): Promise<void>;
}

const walkthrough = 'report-library.report-library#start';

/**
 * Shows where to begin, starts the embedded service, and signs in to it with its throwaway key: the editor ticks the first
 * step of a walkthrough that it knows when that happens.
 */
export async function openDemo(services: Services, { demo, useDemo }: DemoPorts): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', { category: walkthrough }, false);
  services.connect(await withViewProgress(viewIds.watchlist, async () => (await demo()).connection()));
  await useDemo();
  // The keyboard stays with the walkthrough: where rows come in only now, what the view shows before goes away with it.
  await vscode.commands.executeCommand(`${viewIds.watchlist}.focus`, { preserveFocus: true });
}
