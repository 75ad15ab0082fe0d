import assert from 'node:assert/strict';
import { appendFile, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { DownloadOutcome } from '../../../src/app/app.ts';
import { HeldFiles } from '../../../src/downloads/verify.ts';
import type { MarkedRow, PdfMark } from '../../../src/editor/common/pdfMarks.ts';
import { upstream } from '../../../src/editor/common/upstream.ts';
import { PdfDecorations } from '../../../src/editor/downloads/decorations.ts';
import type { SyncCounts } from '../../../src/editor/sync/autoSync.ts';
import type { TestHandles } from '../../../src/extension.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { activated, signedInDemo } from '../../support/editor/demo.ts';

const companyKey = 'XSWX_AHRN';
const limitMs = 90_000;

/** A row as a person meets it: what it says, to a screen reader too, and its mark. */
interface Row {
  readonly id: number;
  readonly said: string;
  readonly spoken: string;
  readonly mark: string;
}

describe('the marks of PDFs', function () {
  this.timeout(limitMs);
  let demo: TestDemo;
  let handles: TestHandles;
  let root = '';
  let files: ReadonlyMap<number, string> = new Map();
  const [plain, newer, withdrawn, longer, rewritten] = [0, 1, 2, 3, 4];
  const idAt = (index: number) => [...files.keys()][index] ?? 0;
  const fileAt = (index: number) => join(root, [...files.values()][index] ?? '');

  before(async () => {
    root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    handles = await activated();
    demo = await signedInDemo(handles, { settlingSeconds: 0 });
    await vscode.commands.executeCommand('reportLibrary.sync');
    const held = demo.control.entitled().filter(({ has_file, report_key }) => {
      return has_file && report_key.startsWith(companyKey);
    });
    const ids = held.slice(0, 5).map(({ report_id }) => report_id);
    const outcomes = await vscode.commands.executeCommand<DownloadOutcome[]>('reportLibrary.downloadReports', ids);
    files = new Map(outcomes.map(({ report_id, path }) => [report_id, path ?? '']));
    assert.equal(files.size, 5);
  });

  after(async () => {
    await vscode.commands.executeCommand('reportLibrary.signOut');
    await demo.dispose();
  });

  /** A row that can be dragged bears no file's address: the editor would open the file where it is dropped. */
  const rowOf = ({ report, mark }: MarkedRow, item: vscode.TreeItem): Row => {
    assert.equal(item.resourceUri, undefined);
    const [said, spoken] = [String(item.description), item.accessibilityInformation?.label ?? ''];
    return { id: report.report_id, said, spoken, mark: mark?.state ?? '' };
  };

  async function watchlistRows(): Promise<Map<number, Row>> {
    const { watchlist } = handles;
    const company = await (await watchlist.tree()).company(companyKey);
    assert.ok(company);
    const rows = new Map<number, Row>();
    for (const year of await watchlist.getChildren(company)) {
      for (const node of await watchlist.getChildren(year)) {
        if (node.kind !== 'report') continue;
        rows.set(node.report.report_id, rowOf(node, await watchlist.getTreeItem(node)));
      }
    }
    return rows;
  }

  async function changesRows(): Promise<Map<number, Row>> {
    const { changes } = handles;
    const rows = new Map<number, Row>();
    for (const day of await changes.getChildren()) {
      for (const node of await changes.getChildren(day)) {
        if (node.kind !== 'change') continue;
        rows.set(node.report.report_id, rowOf(node, await changes.getTreeItem(node)));
      }
    }
    return rows;
  }

  async function reportsRows(): Promise<Map<number, Row>> {
    const { reports } = handles;
    (await reports.tree()).show({ company_key: [companyKey] });
    const rows = new Map<number, Row>();
    for (const year of await reports.getChildren()) {
      for (const node of await reports.getChildren(year)) {
        if (node.kind === 'report') {
          rows.set(node.report.report_id, rowOf(node, await reports.getTreeItem(node)));
        }
      }
    }
    (await reports.tree()).show({});
    return rows;
  }

  /** What the file list of the editor shows for each of the files. */
  async function badges(origin?: string): Promise<(string | undefined)[]> {
    const changed = new vscode.EventEmitter<vscode.Uri[] | undefined>();
    const asked = (ids: readonly number[]) => upstream(handles.services, ids);
    const marks = new PdfDecorations(asked, vscode.Uri.file(root), changed, undefined, () => origin);
    const { token } = new vscode.CancellationTokenSource();
    try {
      const found = [];
      for (const path of files.values()) {
        found.push((await marks.decoration(vscode.Uri.file(join(root, path)), token))?.badge);
      }
      return found;
    } finally {
      marks.dispose();
      changed.dispose();
    }
  }

  /** Reads rows anew each time the tree says that it changed, until they are as wanted. */
  async function rowsOnce(
    wanted: (rows: Map<number, Row>) => boolean,
    read: () => Promise<Map<number, Row>> = watchlistRows,
  ): Promise<Map<number, Row>> {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        const subscription = handles.watchlist.onDidChangeTreeData(() => {
          subscription.dispose();
          resolve();
        });
      });
      // As the editor does when any row may have changed.
      await handles.watchlist.getChildren();
      const rows = await read();
      if (wanted(rows)) return rows;
      await changed;
    }
  }

  const marksOf = (rows: Map<number, Row>) => [...files.keys()].map((id) => rows.get(id)?.mark);
  const states = (...marks: PdfMark['state'][]) => marks;

  it('say that PDFs are here and verified, in file lists and in trees alike, and nothing of others', async () => {
    assert.deepEqual(await badges(), ['✓', '✓', '✓', '✓', '✓']);
    // A file that was just written is read at every look, which tells of it a moment later where that takes long.
    const areVerified = (read: Map<number, Row>) => marksOf(read).every((mark) => mark === 'verified');
    const rows = await rowsOnce(areVerified);
    await rowsOnce(areVerified, reportsRows);
    assert.ok(rows.size > 5);
    assert.equal([...rows.values()].filter(({ mark }) => mark !== '').length, 5);
    assert.match(rows.get(idAt(plain))?.spoken ?? '', /, PDF downloaded, verified, /);
    assert.match(rows.get(idAt(plain))?.said ?? '', /^✓(?!.*PDF)/);
  });

  it('claim nothing of this service for the PDFs of another one', async () => {
    const lock = join(root, 'reports', 'reports.lock.json');
    const text = await readFile(lock, 'utf8');
    await writeFile(lock, text.replace('{', '{"origin":"https://one.example",'));
    try {
      assert.deepEqual(await badges('https://one.example'), ['✓', '✓', '✓', '✓', '✓']);
      assert.deepEqual(await badges('https://two.example'), ['=', '=', '=', '=', '=']);
    } finally {
      await writeFile(lock, text);
    }
  });

  it('read a file once, however often trees look while it is being read', async () => {
    const { look } = HeldFiles.prototype;
    const read: string[] = [];
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    HeldFiles.prototype.look = async function (path, signal) {
      read.push(path);
      await held;
      return look.call(this, path, signal);
    };
    const changed = new vscode.EventEmitter<vscode.Uri[] | undefined>();
    const nextNews = () =>
      new Promise<void>((resolve) => {
        const subscription = changed.event(() => {
          subscription.dispose();
          resolve();
        });
      });
    let news = nextNews();
    const marks = new PdfDecorations((ids) => upstream(handles.services, ids), vscode.Uri.file(root), changed);
    try {
      for (const path of files.values()) {
        // Its time alone is another one, so that it has to be read.
        await utimes(join(root, path), new Date(), new Date());
      }
      for (let times = 0; times < 3; times += 1) await marks.look([...files.keys()]);
      assert.equal(read.length, files.size);
      go();
      let state: string | undefined;
      // On a busy machine one file is told of before the next is read.
      while (state !== 'verified') {
        await news;
        news = nextNews();
        state = (await marks.look([...files.keys()])).get(idAt(plain))?.state;
        assert.ok(state === 'verified' || state === 'unread', state);
      }
    } finally {
      HeldFiles.prototype.look = look;
      marks.dispose();
      changed.dispose();
    }
  });

  it('tell an edited file as soon as it was edited, also when its size is the same', async () => {
    await watchlistRows();
    await appendFile(fileAt(longer), 'a note');
    const bytes = await readFile(fileAt(rewritten));
    bytes.write('edited', bytes.length - 6);
    await writeFile(fileAt(rewritten), bytes);
    const later = new Date(Date.now() + 3_600_000);
    await utimes(fileAt(rewritten), later, later);
    const edited = [idAt(longer), idAt(rewritten)];
    const rows = await rowsOnce((found) => edited.every((id) => found.get(id)?.mark === 'edited'));
    for (const id of edited) assert.match(rows.get(id)?.said ?? '', /^PDF edited/);
    assert.deepEqual(await badges(), ['✓', '✓', '✓', 'E', 'E']);
  });

  it('follow what the service did, and What’s New says the same', async () => {
    demo.control.catalog.replacePdf(idAt(newer));
    demo.control.catalog.withdraw(idAt(withdrawn));
    const counts = await vscode.commands.executeCommand<SyncCounts>('reportLibrary.sync');
    assert.deepEqual([counts.changed, counts.withdrawn], [1, 1]);
    const wanted = states('verified', 'newer', 'withdrawn', 'edited', 'edited');
    assert.deepEqual(await badges(), ['✓', '↑', 'W', 'E', 'E']);
    const rows = await rowsOnce((read) => isDeepStrictEqual(marksOf(read), wanted));
    assert.match(rows.get(idAt(newer))?.said ?? '', /^newer PDF available/);
    assert.match(rows.get(idAt(withdrawn))?.said ?? '', /^withdrawn · PDF kept/);
    const news = await changesRows();
    assert.deepEqual(
      [idAt(newer), idAt(withdrawn)].map((id) => news.get(id)?.mark),
      ['newer', 'withdrawn'],
    );
    assert.match(news.get(idAt(newer))?.spoken ?? '', /PDF changed, .*, newer PDF available$/);
    assert.match(news.get(idAt(withdrawn))?.said ?? '', /^Withdrawn/);
  });

  it('are right again after Update Changed PDFs', async () => {
    await vscode.commands.executeCommand('reportLibrary.updateDownloads', true);
    const rows = await rowsOnce((found) => found.get(idAt(newer))?.mark === 'verified');
    assert.deepEqual(marksOf(rows), states('verified', 'verified', 'withdrawn', 'edited', 'edited'));
    assert.deepEqual(await badges(), ['✓', '✓', 'W', 'E', 'E']);
  });
});
