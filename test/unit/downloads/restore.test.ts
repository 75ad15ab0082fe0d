import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { DownloadFolder } from '../../../src/downloads/folder.ts';
import { emptyLock, formatLock, type LockRow, lockName } from '../../../src/downloads/manifest.ts';
import type { UpstreamPort } from '../../../src/downloads/ports.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { lookForUpdates } from '../../../src/downloads/restore.ts';
import {
  apiError,
  FakeClock,
  FakeSource,
  filesBelow,
  pdf,
  portsOf,
  report,
  reportOf,
  sha256,
  temporaryFolder,
} from './fixtures.ts';

function row(report_id: number, more: Partial<LockRow> = {}): LockRow {
  return {
    report_id,
    report_key: `XDEM_ACME_2023_SR_${report_id}`,
    company_key: 'XDEM_ACME',
    path: `${report_id}.pdf`,
    sha256: sha256(pdf(report_id)),
    bytes: 100_000,
    downloaded_at: '2026-01-02T03:04:05.000Z',
    schema_version: 'V3',
    ...more,
  };
}

type LookOptions = NonNullable<Parameters<typeof lookForUpdates>[2]>;

function look(rows: readonly LockRow[], source: FakeSource, options: LookOptions = {}) {
  const batch = new DownloadQueue(portsOf(source)).begin(options.signal && { signal: options.signal });
  return lookForUpdates(rows, batch, options);
}

const same = (report_id: number) => reportOf(pdf(report_id), { report_id });

describe('a look for updates', () => {
  it('tells changed, current and no longer served reports apart, and asks for no link', async () => {
    const source = new FakeSource()
      .tell(1, same(1))
      .tell(2, reportOf(pdf(22), { report_id: 2 }))
      .tell(3, apiError('forbidden', 403))
      .tell(5, report({ report_id: 5, has_file: false }))
      .tell(6, report({ report_id: 6, content_sha256: null }));
    const found = await look(
      [1, 2, 3, 4, 5, 6].map((id) => row(id)),
      source,
    );
    assert.deepEqual(
      found.current.map(({ report_id }) => report_id),
      [1, 6],
    );
    assert.deepEqual(
      found.changed.map(({ report }) => report.report_id),
      [2],
    );
    assert.deepEqual(
      found.notServed.map(({ row, cause }) => [row.report_id, cause]),
      [
        [3, 'forbidden'],
        [4, 'withdrawn'],
        [5, 'no-file'],
      ],
    );
    assert.deepEqual(source.links, []);
    assert.deepEqual(source.reads.toSorted(), [1, 2, 3, 4, 5, 6]);
  });

  it('takes a hash published for a file that could not be verified as news', async () => {
    const source = new FakeSource().tell(1, same(1));
    const found = await look([row(1, { verified: false })], source);
    assert.equal(found.changed.length, 1);
  });

  it('says that the service is away when no row of a short lock gets an answer', async () => {
    const source = new FakeSource().tell(1, apiError('network')).tell(2, apiError('network'));
    await assert.rejects(look([row(1), row(2)], source), /Cause: network/);
  });

  it('stops when it is cancelled', async () => {
    const abort = new AbortController();
    const source = new FakeSource();
    const rows = Array.from({ length: 50 }, (_, index) => row(index + 1));
    for (const { report_id } of rows) source.tell(report_id, same(report_id));
    const looking = look(rows, source, { signal: abort.signal, onProgress: () => abort.abort() });
    await assert.rejects(looking, { name: 'AbortError' });
    assert.ok(source.reads.length < 20, `${source.reads.length} readings`);
  });
});

describe('a merge that left the rows of both reports', () => {
  const home = temporaryFolder();
  const bytes = pdf(1);
  const retired = row(1, { path: 'retired.pdf' });
  const survivor = row(9, { path: 'survivor.pdf', sha256: sha256(bytes), downloaded_at: '2026-01-03T00:00:00.000Z' });

  /** A folder whose lock has these rows; the service tells of the surviving report whichever id is asked for. */
  async function open(rows: readonly LockRow[], published = bytes, upstream?: UpstreamPort) {
    const report = reportOf(published, { report_id: 9 });
    const source = new FakeSource().tell(1, report).tell(9, report).serve(9, published);
    await mkdir(join(home.path, 'reports'));
    await writeFile(join(home.path, 'reports', lockName), await formatLock({ ...emptyLock, reports: rows }));
    const queue = new DownloadQueue(portsOf(source));
    const at = { root: home.path, folder: 'reports', clock: new FakeClock(), logger: silentLogger };
    return { folder: new DownloadFolder({ ...at, queue, upstream }), source, report };
  }
  const pdfs = async () => (await filesBelow(home.path)).filter((name) => name.endsWith('.pdf'));
  const held = async (folder: DownloadFolder) =>
    (await folder.rows()).map(({ report_id, path, sha256 }) => [report_id, path, sha256]);

  it('for one file is one row to everything', async () => {
    const { folder, source } = await open([{ ...retired, path: survivor.path }, survivor]);
    const states = async () => (await folder.verify()).map(({ row, state }) => [row.report_id, state]);
    assert.deepEqual(await states(), [[9, 'missing']]);
    assert.deepEqual(
      (await folder.restore()).map(({ report_id, status }) => [report_id, status]),
      [[9, 'downloaded']],
    );
    assert.deepEqual(await states(), [[9, 'matches-lock']]);
    const look = await folder.lookForUpdates();
    assert.deepEqual([look.current.map(({ report_id }) => report_id), look.changed, look.merged], [[9], [], []]);
    assert.deepEqual([source.links, await pdfs()], [[9], ['reports/survivor.pdf']]);
  });

  it('for two files is updated as one: one change, one link, one row left', async () => {
    const { folder, source } = await open([retired, survivor], pdf(2));
    for (const { path } of [retired, survivor]) await writeFile(join(home.path, 'reports', path), bytes);
    const { changed, merged } = await folder.lookForUpdates();
    const ids = (rows: typeof changed) => rows.map(({ row, report }) => [row.report_id, report.report_id]);
    assert.deepEqual([ids(changed), ids(merged)], [[[9, 9]], [[1, 9]]]);
    const wanted = [...changed, ...merged].map(({ row, report }) => ({ id: row.report_id, report }));
    const results = await folder.download(wanted);
    assert.deepEqual(
      results.map(({ status, path }) => [status, path]),
      Array(2).fill(['downloaded', 'reports/survivor.pdf']),
    );
    assert.deepEqual(source.links, [9]);
    assert.deepEqual(await held(folder), [[9, 'survivor.pdf', sha256(pdf(2))]]);
    assert.deepEqual(await pdfs(), ['reports/survivor.pdf']);
  });

  for (const [how, known, reads] of [
    ['the library knows where the id leads', { report_id: 9, sha256: null, withdrawn: false }, []],
    ['the library only knows that it was withdrawn', { report_id: 1, sha256: null, withdrawn: true }, [1]],
  ] as const) {
    const upstream: UpstreamPort = async (ids) => new Map(ids.includes(1) ? [[1, known]] : []);

    it(`is one row and one PDF once the survivor is downloaded: ${how}`, async () => {
      const { folder, source, report } = await open([retired], bytes, upstream);
      await writeFile(join(home.path, 'reports', retired.path), bytes);
      const [result] = await folder.download([report]);
      assert.deepEqual([result?.status, source.links, source.reads], ['downloaded', [], reads]);
      assert.deepEqual(
        (await held(folder)).map(([id]) => id),
        [9],
      );
      assert.deepEqual(await pdfs(), [result?.path]);
    });

    it(`leaves a retired PDF that somebody changed: ${how}`, async () => {
      const { folder, report } = await open([retired], bytes, upstream);
      await writeFile(join(home.path, 'reports', retired.path), 'mine');
      const [result] = await folder.download([report]);
      assert.deepEqual((await pdfs()).sort(), [result?.path, 'reports/retired.pdf'].sort());
      assert.equal((await folder.rows()).length, 1);
    });
  }

  it('stays as it is where the service serves the withdrawn id no more', async () => {
    const upstream: UpstreamPort = async () => new Map([[5, { report_id: 5, sha256: null, withdrawn: true }]]);
    const { folder, report } = await open([row(5, { path: 'withdrawn.pdf' })], bytes, upstream);
    await folder.download([report]);
    assert.deepEqual(
      (await folder.rows()).map(({ report_id }) => report_id),
      [5, 9],
    );
  });
});

describe('a restore', () => {
  const home = temporaryFolder();

  it('takes a newer lock over the version before it, only where this machine keeps its very bytes', async () => {
    const [path, copy] = [join(home.path, 'reports/1.pdf'), join(home.path, 'copy')];
    await mkdir(join(home.path, 'reports'));
    await writeFile(path, pdf(1));
    const pulled = row(1, { sha256: sha256(pdf(2)) });
    await writeFile(join(home.path, 'reports', lockName), await formatLock({ ...emptyLock, reports: [pulled] }));
    const source = new FakeSource().serve(1, pdf(2)).tell(1, reportOf(pdf(2), { report_id: 1 }));
    const stores = [{ find: async (hash: string) => (hash === sha256(pdf(1)) ? copy : undefined) }];
    const queue = new DownloadQueue(portsOf(source, { stores }));
    const at = { root: home.path, folder: 'reports', clock: new FakeClock(), logger: silentLogger };
    const folder = new DownloadFolder({ ...at, queue });
    await writeFile(copy, 'broken');
    const [kept] = await folder.restore();
    assert.deepEqual([kept?.cause, await readFile(path)], ['edited', pdf(1)]);
    assert.match(kept?.reason ?? '', /isn’t the version in the lock file, so it was kept/);
    await writeFile(copy, pdf(1));
    const [restored] = await folder.restore();
    assert.deepEqual([restored?.status, await readFile(path)], ['downloaded', pdf(2)]);
  });

  it('says what is in the way of a folder, for the same cause as a download', async () => {
    const clock = new FakeClock();
    const [held, source] = [row(1, { path: 'a/1.pdf' }), new FakeSource().serve(1, pdf(1)).tell(1, same(1))];
    await mkdir(join(home.path, 'reports'));
    await writeFile(join(home.path, 'reports/a'), 'a file');
    await writeFile(join(home.path, 'reports', lockName), await formatLock({ ...emptyLock, reports: [held] }));
    const queue = new DownloadQueue(portsOf(source, { clock }));
    const folder = new DownloadFolder({ root: home.path, folder: 'reports', queue, clock, logger: silentLogger });
    const [restored] = await folder.restore();
    const [downloaded] = await folder.download([same(1)]);
    assert.deepEqual([restored?.status, restored?.cause], ['failed', 'disk']);
    assert.match(restored?.reason ?? '', /has the name of a folder/);
    assert.equal(restored?.cause, downloaded?.cause);
  });
});
