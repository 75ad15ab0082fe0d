import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Client } from '../../../../src/api/client.ts';
import { ApiError } from '../../../../src/api/transport/errors.ts';
import type { App } from '../../../../src/app/app.ts';
import { type Connection, type LocalLibrary, Services } from '../../../../src/app/session.ts';
import { Emitter } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { LibraryTree } from '../../../../src/editor/common/libraryTree.ts';
import { noFavorites } from '../../../../src/favorites/favorites.ts';
import { type LibraryChange, noChange } from '../../../../src/library/libraryChange.ts';

interface Leaf {
  readonly kind: 'leaf';
  readonly of: string;
}

const connectionOf = (id: string): Connection => {
  const key = new Secret('rlk_test_live_0123456789');
  return { id, name: id, baseUrl: 'https://reports.example.com/api/v2', key, isDemo: false };
};

/** Shows the name of the connection, once the test lets it. */
class NameTree extends LibraryTree<Leaf> {
  readonly reads: { readonly of: string; end(): void }[] = [];
  onRead = (): void => undefined;

  protected item(): vscode.TreeItem {
    throw new Error('Nothing is drawn here.');
  }

  protected tooltip(): undefined {
    return undefined;
  }

  protected async children(local: LocalLibrary): Promise<Leaf[]> {
    const of = local.connection.name;
    await new Promise<void>((end) => {
      this.reads.push({ of, end });
      this.onRead();
    });
    if (this.isShown(local)) this.describe(of, '');
    return [{ kind: 'leaf', of }];
  }
}

describe('a tree over the library', () => {
  const { executeCommand } = vscode.commands;
  afterEach(() => void Object.assign(vscode.commands, { executeCommand }));

  function setUp() {
    const record: { syncedAt: number | null } = { syncedAt: null };
    const changes = new Emitter<LibraryChange>();
    const services = new Services({
      logger: silentLogger,
      loadConnection: async () => null,
      createClient: async () => ({ dispose() {} }) as unknown as Client,
      async openLibrary(connection) {
        const library = { onDidChange: changes.event, syncRecord: async () => record };
        return { connection, library, dispose: async () => undefined } as unknown as LocalLibrary;
      },
    });
    const marks = { onDidChange: new Emitter<void>().event, look: async () => new Map() };
    const favorites = { onDidChange: new Emitter<void>().event, read: async () => noFavorites };
    const context = {
      services,
      log: silentLogger,
      marks,
      favorites,
      sync: { start() {} },
    } as unknown as App;
    const view = {} as vscode.TreeView<never>;
    const tree = new NameTree(context, view);
    const read = () => new Promise<void>((resolve) => (tree.onRead = resolve));
    return { services, tree, view, read, record, changes };
  }

  it('shows nothing that was read for a connection which is no longer in use', async () => {
    const { services, tree, view, read } = setUp();
    services.connect(connectionOf('one'));
    let next = read();
    const shown = tree.getChildren();
    await next;
    services.connect(connectionOf('two'));
    next = read();
    tree.reads[0]?.end();
    await next;
    tree.reads[1]?.end();
    assert.deepEqual(await shown, [{ kind: 'leaf', of: 'two' }]);
    assert.equal(view.description, 'two');
  });

  it('shows nothing, and no text of the last connection, after a sign-out in the middle', async () => {
    const { services, tree, view, read } = setUp();
    services.connect(connectionOf('one'));
    const next = read();
    const shown = tree.getChildren();
    await next;
    services.connect(null);
    tree.reads[0]?.end();
    assert.deepEqual(await shown, []);
    assert.equal(view.description, '');
  });

  it('is known to be loaded once it was read after a first sync, and is read again at the end of one', async () => {
    const { services, tree, read, record, changes } = setUp();
    const told: unknown[] = [];
    const note = async (_: string, key: string, value: unknown) => {
      if (key === 'reportLibrary.loaded') told.push(value);
    };
    Object.assign(vscode.commands, { executeCommand: note });
    services.connect(connectionOf('one'));
    const look = async () => {
      const next = read();
      const shown = tree.getChildren();
      await next;
      tree.reads.at(-1)?.end();
      await shown;
    };
    await look();
    assert.ok(!told.includes(true));
    record.syncedAt = 1;
    const again = new Promise<void>((resolve) => void tree.onDidChangeTreeData(() => resolve()));
    changes.fire({ ...noChange, sync: true });
    await again;
    await look();
    assert.equal(told.at(-1), true);
    tree.dispose();
  });

  it('keeps what stands beside its title while a key is refused, and says that it is', async () => {
    const { services, tree, view, read } = setUp();
    services.connect(connectionOf('one'));
    const look = async (node?: Leaf) => {
      const next = read();
      const shown = tree.getChildren(node);
      await next;
      tree.reads.at(-1)?.end();
      await shown;
    };
    await look();
    const problem = { kind: 'unauthorized', cause: 'Revoked.', nextStep: '', status: 401 } as const;
    await assert.rejects(services.call(() => Promise.reject(new ApiError(problem))));
    await look();
    await look({ kind: 'leaf', of: 'one' });
    assert.equal(view.description, 'one');
    assert.match(view.message ?? '', /no longer accepts your key/);
  });
});
