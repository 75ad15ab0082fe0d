import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { createClient } from '../../../src/api/client.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { csvName, lockName, parseLock } from '../../../src/downloads/manifest.ts';
import { parseCsv } from '../../../src/downloads/reportsCsv.ts';
import { openDownloads } from '../../../src/editor/downloads/commands.ts';
import { runCli } from '../../support/cli.ts';
import { services } from '../../support/demo/ask.ts';
import { plainCatalog } from '../../support/demo/tinyCatalog.ts';

describe('a window beside three command lines on one folder', function () {
  this.timeout(120_000);
  const { start, end } = services();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'report-library-'));
  });
  afterEach(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });

  it('leaves a row in the lock file and in the table for each PDF', async () => {
    const demo = await start({ catalog: plainCatalog(24), requestsPerMinute: 100_000 });
    const ids = demo.control.entitled().flatMap(({ report_id, has_file }) => (has_file ? [report_id] : []));
    const share = (at: number) => ids.filter((_, index) => index % 4 === at);
    assert.ok(share(3).length > 1, `${ids.length} reports`);
    // Leases and kept PDFs are those of this user, as in everyday use.
    const env = { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache') };
    const service = { baseUrl: demo.baseUrl, key: demo.key };
    const client = createClient({ ...service, authentication: 'bearer', userAgent: 'test' });
    const window = openDownloads(
      {
        services: { session: {}, call: (work: (given: unknown) => unknown) => work(client) },
        extension: {
          workspaceState: { get: () => undefined, update: async () => {} },
          globalStorageUri: {
            scheme: 'file',
            fsPath: folder,
            path: folder,
            with: () => ({ fsPath: join(folder, 'w') }),
          },
        },
        log: silentLogger,
        downloads: {},
      } as unknown as Parameters<typeof openDownloads>[0],
      {} as vscode.TreeView<never>,
    );
    try {
      const commands = [0, 1, 2].map((at) =>
        runCli(['download', ...share(at).map(String)], { cwd: folder, home: folder, env, service }),
      );
      const here = window.downloads.folderAt(folder)?.folder ?? assert.fail();
      const own = await here.download(share(3).map((id) => ({ id })));
      assert.ok(own.every(({ status }) => status === 'downloaded'));
      for (const { code, stdout, stderr } of await Promise.all(commands)) assert.equal(code, 0, stdout + stderr);
    } finally {
      window.dispose();
      client.dispose();
    }
    const pdfs = (await readdir(join(folder, 'reports'), { recursive: true })).filter((name) => name.endsWith('.pdf'));
    const text = (name: string) => readFile(join(folder, 'reports', name), 'utf8');
    const { reports: rows } = await parseLock(await text(lockName));
    const table = parseCsv(await text(csvName)) ?? [];
    const sorted = (values: readonly (string | number)[]) => values.map(String).sort();
    assert.deepEqual(sorted(rows.map(({ report_id }) => report_id)), sorted(ids));
    assert.deepEqual(sorted(table.map(({ report_id }) => report_id)), sorted(ids));
    assert.deepEqual(sorted(rows.map(({ path }) => path)), sorted(pdfs.map((path) => path.replaceAll('\\', '/'))));
  });
});
