import assert from 'node:assert/strict';
import fs, { mkdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CallOptions } from '../../../../src/api/schemas/page.ts';
import type { Report } from '../../../../src/api/schemas/report.ts';
import { lockName } from '../../../../src/downloads/manifest.ts';
import type { QueueJob } from '../../../../src/downloads/queue.ts';
import type { WorkspaceDownloads } from '../../../../src/editor/downloads/workspaceDownloads.ts';
import { withoutWaits } from '../../../support/noWaits.ts';
import {
  apiError,
  FakeSource,
  filesBelow,
  pdf,
  pick,
  put,
  replacements,
  reportOf,
  temporaryFolder,
} from '../../downloads/fixtures.ts';
import { lockRow, putLock } from '../../downloads/folders.ts';
import { downloadsIn } from './window.ts';

describe('a folder whose lock file takes long to read', () => {
  const home = temporaryFolder();
  const replace = replacements();

  it('is not waited for by a person who cancels', async () => {
    await mkdir(join(home.path, 'reports'));
    await writeFile(join(home.path, 'reports', lockName), '{"version":1,"reports":[]}');
    const downloads = downloadsIn(home.path, new FakeSource());
    assert.ok(await downloads.folder(true));
    // Another file by now, however slow this machine is: one that has not changed for long is not read again.
    await writeFile(join(home.path, 'reports', lockName), '{"version":1,"reports":[] }');
    // A disk that never answers; the editor of these tests cancels every progress.
    replace(fs, { open: () => new Promise(() => {}) });
    assert.equal(await downloads.folder(true), undefined);
  });
});

describe('the PDFs of this window', () => {
  const home = temporaryFolder();

  /** A lock that names reports 1, 2, … in these places. */
  async function named(places: readonly string[]): Promise<WorkspaceDownloads> {
    await putLock(home.path, ...places.map((path, index) => lockRow(index + 1, { path })));
    return downloadsIn(home.path, new FakeSource());
  }

  it('are not read unasked where a link leads to, nor by a lock that is none', async () => {
    const downloads = await named(['a/1.pdf', 'led/2.pdf', 'a/3.pdf']);
    await mkdir(join(home.path, 'elsewhere'));
    await symlink(join(home.path, 'elsewhere'), join(home.path, 'reports/led'));
    for (const path of ['reports/a/1.pdf', 'elsewhere/2.pdf']) await put(join(home.path, path), '%');
    assert.equal((await downloads.localPdfs()).length, 2);
    const readable = async () => pick(await downloads.readablePdfs(), 'path');
    assert.deepEqual(await readable(), ['reports/a/1.pdf']);
    await writeFile(join(home.path, 'reports', lockName), '<<<<<<< ours');
    await assert.rejects(downloads.localPdfs());
    assert.deepEqual(await readable(), []);
  });

  it('are in a folder of their own while the demo is in use, so that a key finds none of them', async () => {
    await named(['a/1.pdf']);
    const services = { session: { connection: { baseUrl: 'http://127.0.0.1:1', isDemo: true } } };
    const demo = downloadsIn(home.path, new FakeSource(), services);
    assert.deepEqual([demo.roots[0]?.folder, await demo.localPdfs()], ['reports-demo', []]);
  });

  it('are nobody’s where their lock belongs to another connection, whoever asks by report', async () => {
    const downloads = await named(['a/1.pdf']);
    const file = join(home.path, 'reports/a/1.pdf');
    await put(file, '%');
    assert.equal((await downloads.find(1))?.uri.fsPath, file);
    const lock = join(home.path, 'reports', lockName);
    const { reports } = JSON.parse(await readFile(lock, 'utf8'));
    await writeFile(lock, JSON.stringify({ version: 1, origin: 'https://elsewhere.example', reports }));
    const services = { session: { connection: { baseUrl: 'https://reports.example', isDemo: false } } };
    const other = downloadsIn(home.path, new FakeSource(), services);
    assert.equal(await other.find(1), undefined);
    assert.equal(await other.reportAt(vscode.Uri.file(file)), undefined);
    assert.equal((await other.localPdfs()).length, 1, 'quotes from it stay');
  });

  it('are not read unasked in Restricted Mode', async () => {
    const downloads = await named(['a/1.pdf']);
    await put(join(home.path, 'reports/a/1.pdf'), '%');
    const { workspaceFolders, isTrusted } = vscode.workspace;
    const uri = { scheme: 'file', fsPath: home.path, toString: () => home.path };
    try {
      Object.assign(vscode.workspace, { workspaceFolders: [{ uri, name: 'a', index: 0 }] });
      assert.equal((await downloads.readablePdfs()).length, 1);
      Object.assign(vscode.workspace, { isTrusted: false });
      assert.deepEqual(await downloads.readablePdfs(), []);
    } finally {
      Object.assign(vscode.workspace, { workspaceFolders, isTrusted });
    }
  });
});

describe('a download that failed and is tried again', () => {
  withoutWaits();
  const home = temporaryFolder();
  const held = pdf(2);
  let source: FakeSource;
  let downloads: WorkspaceDownloads;
  let failed: QueueJob | undefined;

  /** Report 2 is here; since then a merge gave it the id 5, and the host of files is down. */
  async function merged(bytes: Buffer) {
    failed = undefined;
    source = new FakeSource().serve(2, held).tell(2, reportOf(held, { report_id: 2 }));
    downloads = downloadsIn(home.path, source);
    const folder = downloads.folderAt(home.path)?.folder;
    assert.ok(folder);
    await folder.download([{ id: 2 }]);
    downloads.onDidChange((event) => {
      if (event.state === 'done' && event.result.status === 'failed') failed = event.job;
    });
    const report = reportOf(bytes, { report_id: 5 });
    source.tell(2, report).tell(5, report).serve(5, apiError('temporary', 503));
    return { folder, report };
  }
  const pdfs = async () => (await filesBelow(join(home.path, 'reports'))).filter((name) => name.endsWith('.pdf'));

  it('is the update of the same row, whichever id a merge gave the report', async () => {
    const { folder, report } = await merged(pdf(5));
    await folder.download([{ id: 2, report }]);
    assert.ok(failed);
    source.serve(5, pdf(5));
    assert.equal((await downloads.retry([{ job: failed, report }]))[0]?.status, 'downloaded');
    assert.deepEqual(pick(await folder.rows(), 'report_id'), [5]);
    assert.equal((await pdfs()).length, 1);
  });

  it('restores the row that was asked for, and says so when the lock has it no more', async () => {
    const { folder, report } = await merged(held);
    const [name = ''] = await pdfs();
    await unlink(join(home.path, 'reports', name));
    // The machine's store would put it back by itself.
    await rm(join(home.path, 'pdf'), { recursive: true });
    await folder.restore();
    assert.ok(failed);
    const [other] = await downloads.retry([{ job: { ...failed, askedId: 3 }, report }]);
    assert.match(other?.reason ?? '', /lock file no longer lists this PDF/);
    source.serve(5, held);
    assert.equal((await downloads.retry([{ job: failed, report }]))[0]?.status, 'downloaded');
    assert.deepEqual(await pdfs(), [name]);
  });

  it('ends as cancelled when a person cancels it while its report is read, and can be tried once more', async () => {
    const { folder, report } = await merged(pdf(5));
    await folder.download([{ id: 2, report }]);
    assert.ok(failed);
    source.serve(5, pdf(5));
    const before = await folder.rows();
    const { report_id, report_key, company_key, has_file, content_sha256 } = report;
    const known = { report_id, report_key, company_key, has_file, content_sha256 };
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Report>();
    // A service that answers only after the person has cancelled.
    source.report = (_id: number, options?: CallOptions) => {
      options?.signal?.addEventListener('abort', () => answer.reject(options.signal?.reason));
      asked.resolve();
      return answer.promise;
    };
    const retrying = downloads.retry([{ job: failed, report: known }]);
    await asked.promise;
    downloads.cancel(failed);
    answer.resolve(report);
    assert.equal((await retrying)[0]?.status, 'cancelled');
    assert.deepEqual(await folder.rows(), before);
    source.report = async () => report;
    assert.equal((await downloads.retry([{ job: failed, report: known }]))[0]?.status, 'downloaded');
  });
});
