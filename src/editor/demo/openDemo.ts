import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { viewIds } from '../common/contributions.ts';
import { withViewProgress } from '../common/messages.ts';
import type { DemoPorts } from './register.ts';

/** Starts the embedded service, and signs in to it with its throwaway key. */
export async function openDemo(services: Services, { demo, useDemo }: DemoPorts): Promise<void> {
  services.connect(await withViewProgress(viewIds.watchlist, async () => (await demo()).connection()));
  await useDemo();
  await vscode.commands.executeCommand(`${viewIds.watchlist}.focus`);
}
