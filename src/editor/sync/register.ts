import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter, type Event } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { Services } from '../../services.ts';
import { registerCommands } from '../common/commands.ts';
import type { Log } from '../common/log.ts';
import type { SyncState } from '../common/syncState.ts';
import type { AutoSync } from './autoSync.ts';

export interface SyncApi extends Disposable {
  /** Starts keeping the library true; views call it when they are first shown. Does nothing the second time. */
  start(): void;
  /** Runs now, in the background; its failure is told in the views. */
  again(): Promise<void>;
  readonly onDidChangeState: Event<SyncState>;
  /** The time by which a large load is due, ms since the epoch; tests move it. */
  now: () => number;
}

/** Sync Now, Check for Removed Reports, and the sync that runs by itself once a view is shown. */
export function registerSync(services: Services, log: Log): SyncApi {
  const store = new DisposableStore();
  const states = store.add(new Emitter<SyncState>());
  const autoSync = once(async (): Promise<AutoSync> => {
    const { AutoSync, LargeLoad } = await import('./autoSync.ts');
    const largeLoad = new LargeLoad(() => api.now());
    return store.add(new AutoSync(services, log, (state) => states.fire(state), largeLoad));
  });
  store.add(
    registerCommands(['sync', 'fullWalk'], log, async () =>
      (await import('./autoSync.ts')).syncCommands(await autoSync.get()),
    ),
  );
  store.add(
    vscode.window.onDidChangeWindowState(async ({ focused }) => {
      if (focused && autoSync.made) (await autoSync.get()).wake();
    }),
  );
  const api: SyncApi = {
    now: Date.now,
    start: () => void autoSync.get().then((sync) => sync.start()),
    again: async () => (await autoSync.get()).again(),
    onDidChangeState: states.event,
    dispose: () => store.dispose(),
  };
  return api;
}
