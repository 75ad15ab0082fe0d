import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { WatchlistTree } from '../../../../src/editor/trees/watchlistTree.ts';
import { treeContext } from './support/treeContext.ts';

describe('the Watchlist', () => {
  it('leaves the words of a sign-out that comes while it looks why nothing is there', async () => {
    const told: unknown[] = [];
    const { executeCommand } = vscode.commands;
    Object.assign(vscode.commands, { executeCommand: async (...command: unknown[]) => void told.push(command) });
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    try {
      const { services, context } = treeContext({
        async totals() {
          asked.resolve();
          await goOn.promise;
          return { companies: 0 };
        },
      });
      const tree = new WatchlistTree(context, {} as vscode.TreeView<never>);
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
