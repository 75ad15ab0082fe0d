import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { App } from '../../../../src/app/app.ts';
import { insertIntoNotebook, targetName } from '../../../../src/editor/documents/insert.ts';
import { RecentDocuments } from '../../../../src/editor/documents/recentDocuments.ts';
import { withoutWaits } from '../../../support/noWaits.ts';

const recent = { names: () => [], indexIn: () => 0 } as unknown as RecentDocuments;
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
  const files = { reports: async () => [{ status: 'fulfilled', value: report }], ownPdfs: async () => [] };
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
    textDocuments: [],
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

describe('inserting where nothing is open', () => {
  withoutWaits();

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

describe('the document that takes an insertion', () => {
  const never = () => ({ dispose() {} });
  let selected: (event: unknown) => void = () => {};

  function windowWith(names: readonly string[]): RecentDocuments {
    const tabs = names.map((path) => {
      const Input = path.endsWith('.ipynb') ? vscode.TabInputNotebook : vscode.TabInputText;
      return { input: Object.assign(Object.create(Input.prototype), { uri: uriOf(path) }) };
    });
    Object.assign(vscode.window, {
      tabGroups: { all: [{ viewColumn: 1, tabs }] },
      onDidChangeActiveTextEditor: never,
      onDidChangeActiveNotebookEditor: never,
      onDidChangeNotebookEditorSelection: (listener: typeof selected) => {
        selected = listener;
        return never();
      },
    });
    Object.assign(vscode.workspace, { textDocuments: [{ uri: uriOf('/Untitled-1'), languageId: 'csv' }] });
    return new RecentDocuments();
  }
  const uriOf = (path: string) => ({ scheme: 'file', path, toString: () => path }) as vscode.Uri;

  it('is the last notebook or text, and never a file of data', () => {
    const data = ['/a.csv', '/b.TSV', '/c.json', '/reports/reports.lock.json', '/reports.evidence.json', '/Untitled-1'];
    const recent = windowWith(['/notes.md', '/analysis.ipynb', ...data]);
    for (const path of ['/analysis.ipynb', '/notes.md', ...data]) recent.noteOffset(uriOf(path), 0);
    assert.equal(targetName(recent), 'notes.md');
    recent.noteOffset(uriOf('/analysis.ipynb'), 0);
    assert.equal(targetName(recent), 'analysis.ipynb');
    const onlyData = windowWith(data);
    for (const path of data) onlyData.noteOffset(uriOf(path), 0);
    assert.equal(targetName(onlyData), null, 'the person is asked');
  });

  it('takes cells below those selected last, also after Escape, and at its end where none were', () => {
    const notebook = { cellCount: 5, cellAt: (index: number) => ({ notebook, index }) } as vscode.NotebookDocument;
    const editor = { notebook, selections: [{ start: 0, end: 0 }] } as unknown as vscode.NotebookEditor;
    const recent = windowWith([]);
    recent.noteNotebook(editor);
    assert.equal(recent.indexIn(notebook), 5);
    selected({
      notebookEditor: {
        notebook,
        selections: [
          { start: 3, end: 4 },
          { start: 1, end: 2 },
        ],
      },
    });
    selected({ notebookEditor: editor });
    assert.equal(recent.indexIn(notebook), 4);
  });
});
