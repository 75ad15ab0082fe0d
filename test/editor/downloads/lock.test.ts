import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DownloadOutcome } from '../../../src/app/app.ts';
import type { VerifyOutcome } from '../../../src/editor/downloads/lockCommands.ts';
import type { TestHandles } from '../../../src/extension.ts';

/** A refusal rather than a wait when a command asks somebody: nobody answers here. */
const limitMs = 25_000;

describe('the PDFs of a lock file', function () {
  this.timeout(limitMs);
  let ids: number[] = [];
  let root = '';

  const run = <T>(name: string, ...args: unknown[]) =>
    vscode.commands.executeCommand<T>(`reportLibrary.${name}`, ...args);
  const statuses = (outcomes: readonly { readonly status: string }[]) => outcomes.map(({ status }) => status);

  before(async () => {
    root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const extension = vscode.extensions.getExtension<TestHandles>('report-library.report-library');
    const { services } = (await extension?.activate()) ?? {};
    assert.ok(services, 'no test handles');
    for await (const page of services.pages((client) => client.reports({}, { limit: 200 }))) {
      const withFile = page.data.filter(({ has_file, content_sha256 }) => has_file !== false && content_sha256);
      ids = withFile.slice(0, 3).map(({ report_id }) => report_id);
      if (ids.length === 3) break;
    }
    assert.equal(ids.length, 3);
  });

  it('are downloaded by ids, verified, and asked for once', async () => {
    const outcomes = await run<DownloadOutcome[]>('downloadReports', ids);
    assert.deepEqual(statuses(outcomes), ['downloaded', 'downloaded', 'downloaded']);
    assert.deepEqual(statuses(await run<DownloadOutcome[]>('downloadReports', ids)), Array(3).fill('unchanged'));
    const checked = await run<VerifyOutcome>('verifyDownloads', true);
    assert.deepEqual([checked.checked, checked.verified], [3, 3]);
  });

  it('are told apart when edited or missing, and restored without touching an edited one', async () => {
    const { files } = await run<VerifyOutcome>('verifyDownloads', {});
    const [edited, missing] = files.map(({ path }) => join(root, path));
    assert.ok(edited && missing);
    await appendFile(edited, 'a note');
    await rm(missing);
    const checked = await run<VerifyOutcome>('verifyDownloads', {});
    assert.deepEqual([checked.verified, checked.edited, checked.missing], [1, 1, 1]);
    const restored = await run<DownloadOutcome[]>('restoreDownloads', {});
    assert.deepEqual(statuses(restored), ['failed', 'downloaded', 'unchanged']);
    assert.match(restored[0]?.reason ?? '', /isn’t the version in the lock file/);
    assert.match(await readFile(edited, 'latin1'), /a note$/);
    await rm(edited);
    assert.deepEqual(statuses(await run('restoreDownloads', true)), ['downloaded', 'unchanged', 'unchanged']);
  });

  it('are up to date right after they came', async () => {
    const outcomes = await run<DownloadOutcome[]>('updateDownloads', true);
    assert.deepEqual(statuses(outcomes), ['unchanged', 'unchanged', 'unchanged']);
  });

  it('are not called verified because a lock says so, and files that it lacks are named', async () => {
    const folder = join(root, 'reports-demo');
    const text = await readFile(join(folder, 'reports.lock.json'), 'utf8');
    const forged = Buffer.from('%PDF-1.7 forged');
    const row = {
      ...{ report_id: 999_999_999, report_key: 'XDEM_FORGED_2023_SR', company_key: 'XDEM_FORGED', path: 'forged.pdf' },
      ...{ sha256: createHash('sha256').update(forged).digest('hex'), bytes: forged.length },
      ...{ downloaded_at: '2999-01-01T00:00:00.000Z', schema_version: 'V3' },
    };
    await writeFile(join(folder, 'forged.pdf'), forged);
    await writeFile(join(folder, 'mine.pdf'), forged);
    await writeFile(join(folder, 'reports.lock.json'), JSON.stringify({ version: 1, reports: [row] }));
    const checked = await run<VerifyOutcome>('verifyDownloads', {});
    assert.deepEqual([checked.verified, checked['matches-lock']], [0, 1]);
    assert.ok(checked.unlisted.includes('reports-demo/mine.pdf'));
    const [restored] = await run<DownloadOutcome[]>('restoreDownloads', {});
    assert.deepEqual(
      [restored?.status, restored?.reason],
      ['unchanged', 'Matches the lock file; not yet checked with the service.'],
    );
    await writeFile(join(folder, 'reports.lock.json'), text);
    await rm(join(folder, 'mine.pdf'));
    await rm(join(folder, 'forged.pdf'));
  });

  it('make a restore say so when the lock cannot be read', async () => {
    const lock = vscode.Uri.file(join(root, 'reports-demo', 'reports.lock.json'));
    const text = await vscode.workspace.fs.readFile(lock);
    await vscode.workspace.fs.writeFile(lock, Buffer.from('<<<<<<< ours\n'));
    await assert.rejects(Promise.resolve(run('restoreDownloads', {})), /merge conflict in line 1/);
    await vscode.workspace.fs.writeFile(lock, text);
  });
});
