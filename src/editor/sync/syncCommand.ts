import * as vscode from 'vscode';
import type { SyncOutcome } from '../../library/sync/syncEngine.ts';
import type { CommandRun } from '../common/commands.ts';
import { withCancellableProgress } from '../common/messages.ts';
import type { AutoSync } from './autoSync.ts';

/** What Sync Now and Check for Removed Reports give a program. */
export interface SyncCounts {
  readonly added: number;
  readonly changed: number;
  readonly withdrawn: number;
  readonly removed: number;
}

/** Sync Now and Check for Removed Reports; run with `true`, as by a program, they say nothing. */
export function syncCommands(sync: AutoSync): Readonly<Record<'sync' | 'fullWalk', CommandRun>> {
  return {
    sync: (silent) => syncWithProgress(sync, false, silent !== true),
    fullWalk: (silent) => syncWithProgress(sync, true, silent !== true),
  };
}

/** Runs a sync with progress and a cancel, and tells a person what it did. */
async function syncWithProgress(sync: AutoSync, isFull: boolean, tell: boolean): Promise<SyncCounts> {
  const title = isFull ? vscode.l10n.t('Checking for removed reports') : vscode.l10n.t('Syncing the report library');
  const { added, changed, withdrawn, removed, ran } = await withCancellableProgress(title, (signal) =>
    sync.runNow(isFull, signal),
  );
  const counts = { added, changed, withdrawn, removed };
  if (tell) void vscode.window.showInformationMessage(sentence(counts, ran));
  return counts;
}

function sentence({ added, changed, withdrawn, removed }: SyncCounts, ran: SyncOutcome['ran']): string {
  if (!ran) return vscode.l10n.t('Another window is syncing already; its changes arrive here by themselves.');
  const parts = [
    [added, vscode.l10n.t('new')],
    [changed, vscode.l10n.t('changed')],
    [withdrawn, vscode.l10n.t('withdrawn')],
    [removed, vscode.l10n.t('removed')],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString()} ${word}`);
  return said.length === 0
    ? vscode.l10n.t('The library is up to date; nothing has changed.')
    : vscode.l10n.t('Library synced: {0}.', said.join(', '));
}
