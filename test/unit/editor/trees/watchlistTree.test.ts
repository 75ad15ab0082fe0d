import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { App } from '../../../../src/app/app.ts';
import { type LocalLibrary, Services } from '../../../../src/app/session.ts';
import { Emitter } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { WatchlistTree } from '../../../../src/editor/trees/watchlistTree.ts';
import { noFavorites } from '../../../../src/favorites/favorites.ts';
import { settled } from '../../../support/panels/openPanel.ts';

/** The watchlist over a library that answers as it is told, and what the editor was told to show. */
function watchlist(answers: { open?(): void; groups?(): void; totals?(): Promise<void> }) {
  const counted: unknown[] = [];
  const library = {
    onDidChange: new Emitter<never>().event,
    async groupReports() {
      answers.groups?.();
      counted.push('counted');
      return [];
    },
    async totals() {
      await answers.totals?.();
      return { companies: 0 };
    },
  } as unknown as LocalLibrary['library'];
  const services = new Services({
    logger: silentLogger,
    loadConnection: async () => null,
    createClient: () => Promise.reject(new Error('Nobody asked for a client.')),
    openLibrary: async (connection) => {
      answers.open?.();
      return { connection, library, dispose: async () => undefined } as unknown as LocalLibrary;
    },
  });
  const key = new Secret('rlk_test_live_0123456789');
  services.connect({ id: 'a', name: 'A', baseUrl: 'https://reports.example.com/api/v2', key, isDemo: false });
  const files = new Emitter<void>();
  const marks = { onDidChange: files.event, look: async () => new Map(), here: async () => [1] };
  const favorites = { onDidChange: new Emitter<void>().event, read: async () => noFavorites };
  const ports = { marks, favorites, sync: { start() {} } };
  const context = { services, log: silentLogger, ...ports } as unknown as App;
  const view = { onDidExpandElement: () => ({ dispose() {} }) } as unknown as vscode.TreeView<never>;
  const tree = new WatchlistTree(context, view);
  const filesChange = async () => {
    files.fire();
    for (let turn = 0; turn < 20; turn++) await settled();
  };
  return { tree, services, counted, filesChange };
}

describe('the Watchlist', () => {
  it('leaves the words of a sign-out that comes while it looks why nothing is there', async () => {
    const told: unknown[] = [];
    const { executeCommand } = vscode.commands;
    Object.assign(vscode.commands, { executeCommand: async (...command: unknown[]) => void told.push(command) });
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    try {
      const { tree, services } = watchlist({
        totals() {
          asked.resolve();
          return goOn.promise;
        },
      });
      const none = { progress: null, syncedAt: null, waitsFor: null };
      const shown = tree.showSync({ connectionId: 'a', running: false, problem: 'No network.', ...none });
      await asked.promise;
      services.connect(null);
      goOn.resolve();
      await shown;
      assert.ok(!told.some((command) => (command as unknown[]).includes('unreachable')));
      tree.dispose();
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
  });
});
