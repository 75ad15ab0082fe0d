import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../../../src/api/transport/errors.ts';
import type { LocalLibrary } from '../../../../src/app/session.ts';
import { LibraryTree } from '../../../../src/editor/common/libraryTree.ts';
import { noChange } from '../../../../src/library/libraryChange.ts';
import { connectionOf, treeContext } from '../trees/support/treeContext.ts';

interface Leaf {
  readonly kind: 'leaf';
  readonly of: string;
}

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
    const { services, context, changes } = treeContext({ syncRecord: async () => record });
    const view = {} as vscode.TreeView<never>;
    const tree = new NameTree(context, view);
    const read = () => new Promise<void>((resolve) => (tree.onRead = resolve));
    const look = async (node?: Leaf) => {
      const next = read();
      const shown = tree.getChildren(node);
      await next;
      tree.reads.at(-1)?.end();
      await shown;
    };
    return { services, tree, view, read, look, record, changes };
  }

  it('shows nothing that was read for a connection which is no longer in use', async () => {
    const { services, tree, view, read } = setUp();
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
    const next = read();
    const shown = tree.getChildren();
    await next;
    services.connect(null);
    tree.reads[0]?.end();
    assert.deepEqual(await shown, []);
    assert.equal(view.description, '');
  });

  it('is known to be loaded once it was read after a first sync, and is read again at the end of one', async () => {
    const { tree, look, record, changes } = setUp();
    const told: unknown[] = [];
    const note = async (_: string, key: string, value: unknown) => {
      if (key === 'reportLibrary.loaded') told.push(value);
    };
    Object.assign(vscode.commands, { executeCommand: note });
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
    const { services, view, look } = setUp();
    await look();
    const problem = { kind: 'unauthorized', cause: 'Revoked.', nextStep: '', status: 401 } as const;
    await assert.rejects(services.call(() => Promise.reject(new ApiError(problem))));
    await look();
    await look({ kind: 'leaf', of: 'one' });
    assert.equal(view.description, 'one');
    assert.match(view.message ?? '', /no longer accepts your key/);
  });
});
