import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { viewIds } from '../common/contributions.ts';
import { withViewProgress } from '../common/messages.ts';
import type { DemoPorts } from './register.ts';

const walkthrough = 'report-library.report-library#start';

/** Starts the embedded service, signs in to it with its throwaway key, and shows where to begin. */
export async function openDemo(services: Services, { demo, useDemo }: DemoPorts): Promise<void> {
  services.connect(await withViewProgress(viewIds.watchlist, async () => (await demo()).connection()));
  await useDemo();
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', { category: walkthrough }, false);
  await vscode.commands.executeCommand(`${viewIds.watchlist}.focus`);
}
