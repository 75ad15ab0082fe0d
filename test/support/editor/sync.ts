import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SyncCounts } from '../../../src/editor/sync/autoSync.ts';
import type { TestDemo } from '../demo/testDemo.ts';

/** How long a change stays out of the feed of the services that these tests talk to, s. */
export const settlingSeconds = 1;

/** Runs Sync Now as a program does: it shows nothing and gives what it did. */
export async function syncNow(): Promise<SyncCounts> {
  const counts = await vscode.commands.executeCommand<SyncCounts | undefined>('reportLibrary.sync', true);
  assert.ok(counts, 'The sync failed.');
  return counts;
}

/** Lets what was changed settle at the service, then syncs. */
export async function syncChanges({ control }: TestDemo): Promise<SyncCounts> {
  control.advance((settlingSeconds + 1) * 1000);
  return syncNow();
}
