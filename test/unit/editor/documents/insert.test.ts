import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { App } from '../../../../src/app/app.ts';
import { insertIntoNotebook } from '../../../../src/editor/documents/insert.ts';
import type { RecentDocuments } from '../../../../src/editor/documents/recentDocuments.ts';
import { withoutWaits } from '../../../support/noWaits.ts';

const recent = { names: () => [] } as unknown as RecentDocuments;
const uri = { scheme: 'file', path: '/a.ipynb' };
const usual = {
  isWritable: true as boolean | undefined,
  permissions: undefined as number | undefined,
  isBroken: false,
};

let offered: readonly string[] = [];

/** An app in which one report is selected; what it warns of or fetches is noted. */
function appWith(asked: string[]): App {
  const report = { report_id: 1, has_file: true };
  const library = { withSignal: () => library, storedReports: async () => [{ state: 'listed', report }] };
  const files = { reports: async () => [{ status: 'fulfilled', value: report }], localPdfs: async () => [] };
  return {
    log: { warn: (text: string) => asked.push(text) },
    treeDrag: { selection: [{ report }] },
    services: { library: async () => ({ library, connection: {} }) },
    downloads: { open: async () => files, fetch: async () => void asked.push('PDFs') },
  } as unknown as App;
}

/** Inserts where nothing is open, and says what a person and the service were asked. */
async function insertWith(
  given: Partial<typeof usual>,
  found: readonly unknown[] | Promise<never> = [uri],
): Promise<string[]> {
  const { isWritable, permissions, isBroken } = { ...usual, ...given };
  const asked: string[] = [];
  Object.assign(vscode.window, {
    tabGroups: { all: [] },
    async showQuickPick(items: readonly vscode.QuickPickItem[]) {
      offered = items.filter(({ kind }) => kind === undefined).map(({ label }) => label);
      asked.push('where');
    },
    showNotebookDocument: async (notebook: unknown) => ({ notebook }),
  });
  Object.assign(vscode.workspace, {
    fs: { isWritableFileSystem: () => isWritable, stat: async () => ({ permissions }) },
    findFiles: async () => found,
    asRelativePath: ({ path }: { path: string }) => path.slice(1),
    async openNotebookDocument() {
      if (isBroken) throw new SyntaxError('Unexpected token');
      return { uri };
    },
  });
  await insertIntoNotebook(appWith(asked), recent, []);
  return asked;
}

describe('inserting where nothing is open', () => {
  withoutWaits();
  const [windowBefore, workspaceBefore] = [{ ...vscode.window }, { ...vscode.workspace }];
  afterEach(() => {
    for (const [now, before] of [
      [vscode.window, windowBefore],
      [vscode.workspace, workspaceBefore],
    ] as const) {
      for (const name of Object.keys(now)) if (!(name in before)) Reflect.deleteProperty(now, name);
      Object.assign(now, before);
    }
  });

  it('goes to the one notebook of the workspace, and asks when there is none or another', async () => {
    assert.deepEqual(await insertWith({}), ['PDFs']);
    assert.deepEqual(await insertWith({ isWritable: undefined, permissions: 2 }), ['PDFs']);
    assert.deepEqual(await insertWith({}, []), ['where']);
    assert.deepEqual(offered, ['New Jupyter Notebook']);
    assert.deepEqual(await insertWith({}, [uri, { ...uri, path: '/folder/b.ipynb' }]), ['where']);
    assert.deepEqual(offered, ['a.ipynb', 'b.ipynb', 'New Jupyter Notebook']);
  });

  it('asks, before PDFs are fetched, when that notebook can’t be changed or read', async () => {
    assert.deepEqual(await insertWith({ isWritable: false }), ['where']);
    assert.deepEqual(await insertWith({ permissions: 1 }), ['where']);
    const [warning, ...asked] = await insertWith({ isBroken: true });
    assert.match(warning ?? '', /could be found and opened: SyntaxError: Unexpected token/);
    assert.deepEqual(asked, ['where']);
  });

  it('asks where the editor has no file search', async () => {
    const [warning, ...asked] = await insertWith({}, Promise.reject(new Error('spawn rg ENOENT')));
    assert.match(warning ?? '', /spawn rg ENOENT/);
    assert.deepEqual(asked, ['where']);
  });

  it('can be cancelled while a notebook is looked for', async () => {
    let folders = '';
    Object.assign(vscode.window, { tabGroups: { all: [] } });
    Object.assign(vscode.workspace, {
      findFiles: (_: unknown, excluded: string, __: number, token: vscode.CancellationToken) => {
        folders = excluded;
        return new Promise((resolve) => token.onCancellationRequested(() => resolve([])));
      },
    });
    const inserting = insertIntoNotebook(appWith([]), recent, []);
    await assert.rejects(inserting, { name: 'AbortError' });
    for (const name of ['env', '.env', 'venv', 'site-packages', '.tox', 'renv'])
      assert.ok(folders.split(/[{,}]/).includes(name), name);
  });
});
