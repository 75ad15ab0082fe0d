import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { columns } from '../../../src/api/schemas/fields.ts';
import type { DownloadOutcome } from '../../../src/app/app.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { panelViewTypes } from '../../../src/editor/common/contributions.ts';
import type { Log } from '../../../src/editor/common/log.ts';
import { openDocumentLink } from '../../../src/editor/documents/links.ts';
import type { TestHandles } from '../../../src/extension.ts';
import { answering } from '../../support/editor/answers.ts';
import { activated, type SharedDemo, sharedDemo } from '../../support/editor/demo.ts';
import { panelTab } from '../../support/editor/tabs.ts';
import { settledTree } from '../../support/editor/treeText.ts';

interface SavedNotebook {
  readonly cells: readonly {
    readonly cell_type: string;
    readonly source: readonly string[];
    readonly metadata?: unknown;
  }[];
}

const insert = (...ids: number[]) => vscode.commands.executeCommand('reportLibrary.insertIntoNotebook', ids);
const emptyNotebook = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };

describe('reports in documents', function () {
  this.timeout(60_000);
  let handles: TestHandles;
  let demo: SharedDemo;
  let folder: vscode.Uri;
  let one: { readonly report_id: number; readonly report_key: string };
  let two: { readonly report_id: number; readonly report_key: string };
  let bare: { readonly report_id: number };

  before(async () => {
    handles = await activated();
    demo = await sharedDemo(handles);
    const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(uri);
    folder = uri;
    const reports = demo.control.entitled();
    const ours = reports.filter(({ report_key, has_file }) => has_file && report_key.startsWith('XLON_THWK_'));
    const [first, second] = ours;
    const [without] = reports.filter(({ has_file }) => !has_file);
    assert.ok(first && second && without);
    [one, two, bare] = [first, second, without];
    await settledTree(handles.watchlist, 24);
  });

  beforeEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('reportLibrary.signOut');
  });

  /** Where a PDF is that is here already. */
  async function pathOf(id: number): Promise<string> {
    const [outcome] = await vscode.commands.executeCommand<DownloadOutcome[]>('reportLibrary.downloadReports', [id]);
    assert.equal(outcome?.status, 'unchanged');
    return outcome.path ?? '';
  }

  async function newFile(name: string, text: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(folder, name);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return uri;
  }

  async function openNotebook(name: string, content: unknown = emptyNotebook): Promise<vscode.NotebookEditor> {
    const uri = await newFile(name, JSON.stringify(content));
    return vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(uri));
  }

  async function openText(name: string, text: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(await newFile(name, text)));
  }

  async function saved(notebook: vscode.NotebookDocument): Promise<SavedNotebook> {
    // The editor may be saving by itself.
    for (let tries = 0; notebook.isDirty && tries < 20; tries += 1) await notebook.save();
    assert.equal(notebook.isDirty, false);
    return JSON.parse(await readFile(notebook.uri.fsPath, 'utf8')) as SavedNotebook;
  }

  /** What the saved code prints when Python runs it in the notebook's folder; undefined without Python. */
  function run(code: string, cwd: string): string | undefined {
    const ended = spawnSync('python3', ['-'], { cwd, input: code, encoding: 'utf8' });
    if (ended.error) return undefined;
    assert.equal(ended.status, 0, ended.stderr);
    return ended.stdout.trim();
  }

  it('go into a notebook as Markdown and code that runs once saved, and one undo takes both out', async () => {
    const { notebook } = await openNotebook('notes/deep/one.ipynb');
    await insert(one.report_id);
    const { cells } = await saved(notebook);
    assert.deepEqual(
      cells.map(({ cell_type }) => cell_type),
      ['code', 'markdown', 'code'],
    );
    assert.deepEqual(cells[0]?.metadata, { jupyter: { source_hidden: true } });
    const [helper = '', text = '', code = ''] = cells.map(({ source }) => source.join(''));
    assert.equal(code, `report = load_report("${one.report_key}")\nreport.path`);
    assert.ok(text.includes(`\`${one.report_key}\``));
    const { sha256 } = await demo.control.pdf(one.report_id);
    assert.ok(text.includes(sha256));
    assert.ok(!(helper + code).includes(folder.fsPath), 'a path of this computer');
    const printed = run(
      `${helper}\n${code}\nprint(report.path, report.metadata["report_key"])`,
      dirname(notebook.uri.fsPath),
    );
    const pdf = join(folder.fsPath, await pathOf(one.report_id));
    if (printed !== undefined) assert.equal(printed, `${pdf} ${one.report_key}`);
    await vscode.commands.executeCommand('undo');
    assert.equal(notebook.cellCount, 0);
  });

  it('go in also when one of them cannot be read', async () => {
    const editor = await openText('one-missing.txt', '');
    await insert(one.report_id, 999_999_999);
    const path = await pathOf(one.report_id);
    assert.ok(editor.document.getText().includes(path.split('/').at(-1) ?? path));
    await assert.rejects(Promise.resolve(insert(999_999_999)));
    await vscode.commands.executeCommand('workbench.action.files.saveAll');
  });

  it('go below the selected cell, in its language, several as one loop', async () => {
    const cell = (source: string) => ({
      cell_type: 'code',
      source: [source],
      metadata: { vscode: { languageId: 'r' } },
    });
    const content = {
      ...emptyNotebook,
      cells: [cell('1'), cell('2')].map((each) => ({ ...each, outputs: [], execution_count: null })),
    };
    const editor = await openNotebook('several.ipynb', content);
    editor.selections = [new vscode.NotebookRange(0, 1)];
    await insert(one.report_id, two.report_id);
    const texts = editor.notebook.getCells().map(({ document }) => [document.languageId, document.getText()] as const);
    assert.deepEqual(
      texts.map(([language]) => language),
      ['r', 'r', 'markdown', 'r', 'r', 'r'],
    );
    // The helper is above the first code, so that whatever comes later is below it.
    assert.match(texts[0]?.[1] ?? '', /^load_report <- /m);
    assert.match(texts[2]?.[1] ?? '', /^### 2 reports\n/);
    const list = `lapply(list(\n  "${one.report_key}",\n  "${two.report_key}"\n), load_report)`;
    assert.ok(texts[3]?.[1].includes(list), texts[3]?.[1]);
    assert.match(texts[4]?.[1] ?? '', /^reports <- typed\(read\.csv\(/);
    assert.equal(texts.filter(([, text]) => text.includes('load_report <-')).length, 1);
    await insert(two.report_id);
    const later = editor.notebook.getCells().map(({ document }) => document.getText());
    assert.equal(later.filter((text) => text.includes('load_report <-')).length, 1);
    // Below what was inserted before, above the cell that was below that.
    assert.equal(later.at(-2), `report <- load_report("${two.report_key}")\nreport$path`, later.join('\n'));
    assert.equal(later.at(-1), '2');
  });

  it('go into a Markdown file as a link that leads to the PDF, and undo takes it out', async () => {
    const editor = await openText('docs/notes.md', 'See ');
    editor.selection = new vscode.Selection(0, 4, 0, 4);
    await insert(one.report_id);
    const text = editor.document.getText();
    const target = /^See \[[^\n]*\]\((\S+?)\), /.exec(text)?.[1];
    assert.equal(target, `../${await pathOf(one.report_id)}`);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'See ');
    await insert(one.report_id, two.report_id);
    assert.match(editor.document.getText(), /^See \n- \[[^\n]*\n- \[[^\n]*$/);
    await vscode.commands.executeCommand('undo');
  });

  it('go into Python files as code, into plain text as paths', async () => {
    const script = await openText('scripts/load.py', 'x = 1');
    script.selection = new vscode.Selection(0, 5, 0, 5);
    await insert(one.report_id);
    const code = script.document.getText();
    assert.match(code, /^x = 1\n# Report Library/);
    await insert(two.report_id);
    const twice = script.document.getText();
    assert.equal(twice.slice(code.length), `report = load_report("${two.report_key}")\nprint(report.path)\n`);
    const printed = run(`${twice}\nprint(report.path.is_file(), x)`, join(folder.fsPath, 'scripts'));
    if (printed !== undefined) assert.equal(printed.split('\n').at(-1), 'True 1');
    const plain = await openText('list.txt', '');
    await insert(two.report_id, one.report_id);
    assert.equal(plain.document.getText(), `${await pathOf(two.report_id)}\n${await pathOf(one.report_id)}`);
  });

  it('without a PDF go into a notebook as a description alone, and are refused as code', async () => {
    const { notebook } = await openNotebook('bare.ipynb');
    await insert(bare.report_id);
    assert.deepEqual(
      notebook.getCells().map(({ kind }) => kind),
      [vscode.NotebookCellKind.Markup],
    );
    await openText('bare.py', '');
    await assert.rejects(Promise.resolve(insert(bare.report_id)), /PDF/);
  });

  it('go where a person wrote last, whatever covers it now, and leave it where it is', async () => {
    const { notebook } = await openNotebook('covered.ipynb');
    await vscode.commands.executeCommand('reportLibrary.openReport', one.report_id);
    await panelTab(panelViewTypes.report);
    await insert(one.report_id);
    assert.equal(notebook.cellCount, 3);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'covered.ipynb');
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 2);
  });

  it('are refused in words when nothing is open to insert into', async () => {
    await assert.rejects(
      Promise.resolve(insert(one.report_id)),
      /No notebook or text editor is active\. Open one, then insert again/,
    );
  });

  it('are fetched once, whatever they go into', () => {
    const links = demo.control.log.to('GET /reports/{report_id}/download');
    assert.equal(links.length, 2);
    assert.deepEqual(demo.control.log.violations, []);
  });

  it('are exported as the filter has them, the license’s words said once', async () => {
    const run = (save: vscode.Uri | undefined, ...picks: string[]) =>
      answering({ picks, save }, () => vscode.commands.executeCommand('reportLibrary.exportReports'));
    await vscode.commands.executeCommand('reportLibrary.filterReports', { type: ['SR'], fcyear: [2023] });
    const target = vscode.Uri.joinPath(folder, 'table.csv');
    const { library } = await handles.services.library();
    const count = await library.countReports({ type: ['SR'], fcyear: [2023] });
    assert.ok(count > 3);
    const exported = `Exported ${count} reports to table.csv.`;
    const license = ' The data is licensed to you and may not be redistributed.';
    assert.deepEqual(await run(target, 'Filtered Reports', 'CSV'), [exported + license]);
    const text = await readFile(target.fsPath, 'utf8');
    assert.equal(text.split('\r\n')[0], columns.map(({ name }) => name).join(','));
    // The demo's texts hold no line breaks.
    assert.equal(text.trimEnd().split('\r\n').length, count + 1);
    assert.deepEqual(await run(target, 'Filtered Reports', 'CSV'), [exported]);
    await vscode.commands.executeCommand('reportLibrary.clearFilter');
  });

  it('are read from the service for an export where the library keeps none', async () => {
    const local = await handles.services.library();
    const library = { withSignal: () => ({ storedReports: async () => [] }) };
    const target = vscode.Uri.joinPath(folder, 'one.csv');
    Object.assign(handles.services, { library: async () => ({ ...local, library }) });
    try {
      const one = { kind: 'report', report: { report_id: demo.control.entitled()[0]?.report_id } };
      const work = () => vscode.commands.executeCommand('reportLibrary.exportReports', one, [one]);
      assert.deepEqual(await answering({ picks: ['CSV'], save: target }, work), ['Exported 1 report to one.csv.']);
    } finally {
      Reflect.deleteProperty(handles.services, 'library');
    }
    assert.equal((await readFile(target.fsPath, 'utf8')).trimEnd().split('\r\n').length, 2);
  });

  it('leave nothing where an export is left at its last question', async () => {
    const answers = { picks: ['All Reports', 'Parquet'], save: undefined };
    assert.deepEqual(await answering(answers, () => vscode.commands.executeCommand('reportLibrary.exportReports')), []);
    const files = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
    assert.deepEqual(
      files.filter((name) => /parquet|part/.test(name)),
      [],
    );
  });

  it('have links that show them, and that ask the service nothing, whatever they say', async () => {
    // A second channel of the product's name would close the product's own with it.
    const log: Log = { ...silentLogger, show() {}, hide() {}, dispose() {} };
    const open = (path: string, fragment = '') => openDocumentLink({ ...handles.app, log }, path, fragment);
    // The status bar asks for its numbers whenever it likes.
    const requests = () => demo.control.log.entries.filter(({ route }) => route !== 'GET /meta/usage').length;
    const before = requests();
    const hostile = [
      '/report/1/../../company/x',
      '/download/1',
      '/report/',
      '/report/%00',
      '/signIn',
      '/report/987654321',
    ];
    for (const path of hostile) await open(path);
    for (const filter of ['{"type":7}', '{"text":"a\\u202eb"}', '[]', '{']) await open('/table', `filter=${filter}`);
    assert.deepEqual(reportTabs(), []);
    await open(`/report/${one.report_key}`);
    await panelTab(panelViewTypes.report);
    assert.equal(reportTabs().length, 1);
    await open('/company/XLON_THWK');
    assert.equal(requests(), before);
  });

  it('have a link to the table of all reports, narrowed as it was when it was copied', async () => {
    const log: Log = { ...silentLogger, show() {}, hide() {}, dispose() {} };
    const filter = { type: ['SR'], facts: { standards_gri: true }, text: 'report' };
    await vscode.commands.executeCommand('reportLibrary.copyLink', { kind: 'table', filter });
    const link = vscode.Uri.parse(await vscode.env.clipboard.readText());
    assert.equal(link.path, '/table');
    const asked = demo.control.log.to('GET /reports/{report_id}').length;
    await openDocumentLink({ ...handles.app, log }, link.path, link.fragment);
    assert.equal(await panelTab(panelViewTypes.table), 'All Reports as Table');
    assert.deepEqual(JSON.parse(link.fragment.slice('filter='.length)), filter);
    assert.equal(demo.control.log.to('GET /reports/{report_id}').length, asked);
  });

  it('are copied as links from the palette, from the panel in front', async () => {
    const copied = async () => {
      await vscode.commands.executeCommand('reportLibrary.copyLink');
      return vscode.Uri.parse(await vscode.env.clipboard.readText());
    };
    const filter = { type: ['SR'], text: 'report' };
    await vscode.commands.executeCommand('reportLibrary.openTable', filter);
    await panelTab(panelViewTypes.table);
    const { path, fragment } = await copied();
    assert.equal(path, '/table');
    assert.deepEqual(JSON.parse(fragment.slice('filter='.length)), filter);
    await vscode.commands.executeCommand('reportLibrary.openReport', one.report_id);
    await panelTab(panelViewTypes.report);
    assert.equal((await copied()).path, `/report/${one.report_id}`);
    await vscode.commands.executeCommand('reportLibrary.showCompany', 'XLON_THWK');
    await panelTab(panelViewTypes.company);
    assert.equal((await copied()).path, '/company/XLON_THWK');
  });
});

function reportTabs(): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(({ input }) => input instanceof vscode.TabInputCustom);
}
