import assert from 'node:assert/strict';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DownloadOutcome } from '../../../src/app/app.ts';
import type { FoundHits, ReadResult } from '../../../src/editor/text/programs.ts';
import type { TestHandles } from '../../../src/extension.ts';
import { startTestDemo, type TestDemo } from '../../support/demo/testDemo.ts';
import { activated } from '../../support/editor/demo.ts';

/** A word of the sustainability reports of every language, or nearly so. */
const query = 'emission*';

const run = <T>(name: string, ...args: unknown[]) =>
  vscode.commands.executeCommand<T>(`reportLibrary.${name}`, ...args);
const find = (words: unknown, options?: unknown) => run<FoundHits>('findInPdfs', words, options);
const read = (ids: readonly number[]) => run<ReadResult[]>('readPdfText', ids);

describe('Find in PDFs, run by programs', () => {
  let demo: TestDemo;
  let handles: TestHandles;
  let root = '';
  let [ids, absent]: [number[], number] = [[], 0];
  let paths: string[] = [];
  /** Hashes of what was found last. */
  let ours: string[] = [];
  /** Hashes of the PDFs whose text is kept. */
  const held = async () => (await (await handles.text()).index()).held(null);

  before(async () => {
    root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    handles = await activated();
    demo = await startTestDemo({ settlingSeconds: 0 });
    const { baseUrl, key } = demo;
    // A demo's library leaves the machine with its connection.
    handles.services.connect({ id: 'leaving', name: 'Leaving', baseUrl, key, isDemo: true });
    const [one] = demo.control.entitled().filter(({ report_fcyear }) => report_fcyear === 2024);
    const reports = demo.control
      .entitled()
      .filter(
        ({ has_file, company_key, report_fcyear }) =>
          has_file && company_key === one?.company_key && Number(report_fcyear) > 2019,
      );
    ids = reports.slice(0, 3).map(({ report_id }) => report_id);
    absent = reports[3]?.report_id ?? 0;
    assert.ok(absent > 0);
    // Bytes that no library of another suite publishes.
    for (const id of ids) for (let times = 0; times < 2; times += 1) demo.control.catalog.replacePdf(id);
    await run('sync');
  });

  after(async () => {
    handles.services.connect(null);
    await demo.dispose();
    for (const path of paths) await rm(join(root, path), { force: true });
  });

  it('finds nothing, and reads nothing, where no PDF is here', async () => {
    const [unread] = await read([absent]);
    assert.deepEqual(unread, { report_id: absent, status: 'no-pdf' });
    assert.deepEqual((await find('emissions', { report_ids: ids })).hits, []);
  });

  it('reads the PDFs that are here, once, and answers in the shape of the contract', async () => {
    const outcomes = await run<DownloadOutcome[]>('downloadReports', ids);
    paths = outcomes.map(({ path }) => path ?? '');
    const first = await read([...ids, absent]);
    assert.deepEqual(
      first.map(({ status }) => status),
      ['read', 'read', 'read', 'no-pdf'],
    );
    assert.ok(first.slice(0, 3).every(({ pages = 0 }) => pages > 3));
    assert.deepEqual(
      (await read(ids)).map(({ status }) => status),
      ['known', 'known', 'known'],
    );
    const found = await find(query, { report_ids: ids.slice(0, 1) });
    const [hit] = found.hits;
    assert.ok(hit);
    assert.deepEqual(Object.keys(hit), ['report_id', 'report_key', 'sha256', 'page', 'label', 'snippet']);
    assert.equal(hit.report_id, ids[0]);
    assert.match(hit.sha256, /^[0-9a-f]{64}$/);
    assert.equal(outcomes[0]?.sha256, hit.sha256);
    assert.match(hit.snippet, /emission/i);
    const pages = found.hits.map(({ page }) => page);
    assert.deepEqual(
      pages,
      pages.toSorted((a, b) => a - b),
    );
    assert.deepEqual(found.coverage, { searchable: 1, withoutText: 0, failed: 0, waiting: 0 });
  });

  it('refuses what it does not understand in plain words', async () => {
    for (const options of [{ limit: 0 }, { report_ids: ['1'] }, { limits: 1 }, 7, { cursor: 4 }]) {
      await assert.rejects(async () => find(query, options), /takes a query and \{report_ids\?/);
    }
    await assert.rejects(async () => find(''), /Type a word or a “phrase” to find/);
    await assert.rejects(async () => find('-climate'), /All words are excluded/);
  });

  it('goes on with the bytes that this machine keeps when a file is gone, or was changed', async () => {
    const [gone = '', edited = ''] = paths;
    await rm(join(root, gone));
    await appendFile(join(root, edited), '\n% a note');
    const statuses = async () =>
      Object.fromEntries((await read(ids)).map(({ report_id, status }) => [report_id, status]));
    const [first = 0, second = 0, third = 0] = ids;
    const now = await statuses();
    // The machine's store still has both.
    assert.deepEqual([now[first], now[second], now[third]], ['known', 'known', 'known']);
    const text = await handles.text();
    const { failed } = await text.coverage();
    assert.equal(failed, 0);
  });

  it('answers nothing once nobody is signed in', async () => {
    ours = (await find(query, { report_ids: ids, limit: 1000 })).hits.map(({ sha256 }) => sha256);
    assert.ok(ours.length > 0);
    await run('signOut');
    handles.services.connect(null);
    await assert.rejects(async () => find(query), /not signed in/);
    await assert.rejects(async () => read(ids), /not signed in/);
    assert.equal(await (await handles.text()).state(), 'signedOut');
  });

  it('keeps no text of a library that has left this computer', async () => {
    await handles.services.settled();
    const text = await handles.text();
    text.refresh();
    await text.settled();
    const left = await held();
    assert.deepEqual(
      ours.filter((sha256) => left.includes(sha256)),
      [],
    );
  });
});
