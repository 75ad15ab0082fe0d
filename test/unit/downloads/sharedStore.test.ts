import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Report } from '../../../src/api/schemas/report.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { downloadReport } from '../../../src/downloads/download.ts';
import { sharedStore } from '../../../src/downloads/sharedStore.ts';
import { FakeClock, FakeSource, filesBelow, pdf, portsOf, put, reportOf, sha256, temporaryFolder } from './fixtures.ts';

const bytes = pdf(1);
const hash = sha256(bytes);
const place = `sha256/${hash.slice(0, 2)}/${hash}.pdf`;

describe('a team’s shared store of PDFs', () => {
  const folder = temporaryFolder();
  const share = () => join(folder.path, 'share');
  let log: string[];
  let published: Set<string>;
  beforeEach(async () => {
    log = [];
    published = new Set([hash]);
    await mkdir(share());
  });

  const logger: Logger = { ...silentLogger, warn: (message) => void log.push(message) };
  const store = (root = share()) =>
    sharedStore({
      folder: () => root,
      isPublished: async (sha256) => published.has(sha256),
      ...{ clock: new FakeClock(), logger },
    });
  let runs = 0;
  /** Downloads the report into a place of its own; how many links that took. */
  async function download(report: Report = reportOf(bytes), using = store()) {
    const source = new FakeSource();
    source.serve(report.report_id, bytes);
    const target = { root: folder.path, path: `mine/${++runs}.pdf`, heldSha256: null };
    const result = await downloadReport(report, target, portsOf(source, { stores: [using] }));
    assert.equal(result.status, 'downloaded');
    assert.deepEqual(await readFile(join(folder.path, target.path)), bytes);
    return result.links;
  }
  const putThere = (content: Uint8Array | string) => put(join(share(), place), content);

  it('is filled by the first download, and spares the others their link', async () => {
    assert.equal(await download(), 1);
    assert.deepEqual(await filesBelow(share()), [join(...place.split('/'))]);
    assert.equal((await stat(join(share(), place))).mode & 0o777, 0o666 & ~process.umask());
    assert.equal(await download(), 0);
    assert.deepEqual(log, []);
    // A copy and no link: an edit of one changes no other.
    assert.equal((await stat(join(share(), place))).nlink, 1);
  });

  it('gives files and folders the rights of the share, whatever those of this user’s own are', async function () {
    if (process.platform === 'win32') this.skip();
    const umask = process.umask(0o022);
    try {
      for (const [mode, ofFiles] of [
        [0o2775, 0o664],
        [0o700, 0o600],
      ] as const) {
        await rm(share(), { recursive: true });
        await mkdir(share());
        await chmod(share(), mode);
        await download();
        const rights = async (path: string) => (await stat(join(share(), path))).mode & 0o7777;
        const folders = await Promise.all(['sha256', dirname(place)].map(rights));
        assert.deepEqual([...folders, await rights(place)], [mode, mode, ofFiles]);
      }
    } finally {
      process.umask(umask);
    }
  });

  it('gives nothing that was poisoned or cut short, and leaves it as it is', async () => {
    await putThere('%PDF-1.7 poison');
    assert.equal(await download(), 1);
    assert.equal(await readFile(join(share(), place), 'utf8'), '%PDF-1.7 poison');
    await putThere(bytes);
    await truncate(join(share(), place), 1000);
    assert.equal(await download(), 1);
  });

  it('follows no symbolic link, neither to read nor to write', async function () {
    if (process.platform === 'win32') this.skip();
    const elsewhere = join(folder.path, 'elsewhere');
    await writeFile(elsewhere, bytes);
    await mkdir(dirname(join(share(), place)), { recursive: true });
    await symlink(elsewhere, join(share(), place));
    assert.equal(await download(), 1);
    await rm(join(share(), 'sha256'), { recursive: true });
    await mkdir(join(folder.path, 'out'));
    await symlink(join(folder.path, 'out'), join(share(), 'sha256'));
    assert.equal(await download(), 1);
    assert.deepEqual(await filesBelow(join(folder.path, 'out')), []);
    assert.ok(log.some((line) => line.includes('symlink')));
  });

  it('is neither read nor written for what is not published with a hash to a report of this key', async () => {
    assert.equal(await download(reportOf(bytes, { content_sha256: null })), 1);
    published.clear();
    assert.equal(await download(), 1);
    assert.deepEqual(await filesBelow(share()), []);
    await putThere(bytes);
    assert.equal(await download(), 1);
    assert.equal(await store().find(hash), undefined);
  });

  it('that is read-only still gives, and one that is gone or no absolute path is passed over', async function () {
    await putThere(bytes);
    await chmod(dirname(join(share(), place)), 0o555);
    assert.equal(await download(), 0);
    await chmod(dirname(join(share(), place)), 0o755);
    assert.equal(await download(reportOf(bytes), store(join(folder.path, 'gone'))), 1);
    assert.equal(await download(reportOf(bytes), store('relative/share')), 1);
    assert.equal(await download(reportOf(bytes), store('')), 1);
    assert.ok(log.length > 0 && log.every((line) => !line.includes(folder.path)));
    await putThere(bytes);
    await rm(join(share(), place));
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    await chmod(share(), 0o555);
    assert.equal(await download(), 1);
    await chmod(share(), 0o755);
  });
});
