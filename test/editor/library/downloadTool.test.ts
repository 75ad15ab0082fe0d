import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { activated, type SharedDemo, sharedDemo } from '../../support/editor/demo.ts';

/** Calls the tool as an agent of the editor does that approves by itself, and reads its answer. */
async function download(input: object) {
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool('reportlibrary_download_reports', options);
  const [part] = content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return JSON.parse(part.value) as { error?: string; results?: Record<string, unknown>[] };
}

describe('the tool that downloads', () => {
  let demo: SharedDemo;
  const setting = vscode.workspace.getConfiguration('reportLibrary.assistants');
  const allow = (count: number | undefined) =>
    setting.update('downloadsPerWindow', count, vscode.ConfigurationTarget.Global);
  /** What was asked of the service for PDFs; how much was used is asked for at any time. */
  const asked = () => demo.control.log.entries.filter(({ route }) => route !== 'GET /meta/usage');
  before(async () => {
    demo = await sharedDemo(await activated());
  });
  after(() => allow(undefined));

  it('downloads within the cap of the window, and asks the service for nothing beyond it', async () => {
    const { library } = await (await activated()).services.library();
    const { items } = await library.reports({ type: ['GPGR'] }, { limit: 2 });
    const [first, second] = items.map(({ report_id }) => report_id);
    assert.ok(first !== undefined && second !== undefined);
    await allow(1);
    const [done] = (await download({ reports: [first] })).results ?? [];
    assert.equal(done?.status, 'downloaded', JSON.stringify(done));
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    assert.ok(existsSync(join(root, String(done?.path))));
    assert.match(String(done?.sha256), /^[0-9a-f]{64}$/);
    assert.doesNotMatch(JSON.stringify(done), /https?:/);
    demo.control.log.clear();
    assert.match(String((await download({ reports: [second] })).error), /no more PDFs in this window/);
    assert.match(String((await download({})).error), /Inputs are: reports/);
    assert.deepEqual(asked(), []);
    // A cap that was raised counts what was downloaded before.
    await allow(2);
    assert.match(String((await download({ reports: [first, second] })).error), /1 more PDFs in this window/);
  });

  it('lets its call end the download, in the middle of a file', async () => {
    const { app, services } = await activated();
    const { library } = await services.library();
    const { items } = await library.reports({ type: ['ESGD'] }, { limit: 50 });
    const ids = items.filter(({ has_file }) => has_file).map(({ report_id }) => report_id);
    const call = new AbortController();
    // Once the file is asked for, and never comes.
    const when = () => {
      call.abort();
      return true;
    };
    demo.control.faults.set([{ match: { route: 'GET /files', when }, action: { kind: 'stall' } }]);
    try {
      const [done] = (await app.downloads.run(ids.slice(0, 1), { signal: call.signal })) ?? [];
      assert.equal(done?.status, 'cancelled', JSON.stringify(done));
    } finally {
      demo.control.faults.set([]);
    }
  });

  it('downloads only from the connection that is meant, and says when it begins', async () => {
    const { app, services } = await activated();
    const { library, connection } = await services.library();
    const { items } = await library.reports({ type: ['ESGD'] }, { limit: 50 });
    const ids = items.filter(({ has_file }) => has_file).map(({ report_id }) => report_id);
    const told: (string | number)[] = [];
    const on = { onStart: () => told.push('begun'), onEnd: (withLink: number) => told.push(withLink) };
    const run = (meant: string) => app.downloads.run(ids.slice(0, 1), { connection: meant, ...on });
    demo.control.log.clear();
    await assert.rejects(Promise.resolve(run('another')), /belongs to another connection/);
    assert.deepEqual([told, asked()], [[], []]);
    assert.equal((await run(connection.id))?.[0]?.status, 'downloaded');
    // The second time it is here.
    assert.equal((await run(connection.id))?.[0]?.status, 'unchanged');
    assert.deepEqual(told, ['begun', 1, 'begun', 0]);
  });
});
