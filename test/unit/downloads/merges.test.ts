import assert from 'node:assert/strict';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DownloadFolder } from '../../../src/downloads/folder.ts';
import type { LockRow } from '../../../src/downloads/manifest.ts';
import type { UpstreamPort } from '../../../src/downloads/ports.ts';
import { FakeSource, filesBelow, pdf, pick, reportOf, sha256, temporaryFolder } from './fixtures.ts';
import { lockRow, openFolder, putLock } from './folders.ts';

describe('a merge that left the rows of both reports', () => {
  const home = temporaryFolder();
  const bytes = pdf(1);
  const retired = lockRow(1, { path: 'retired.pdf' });
  const survivor = lockRow(9, {
    path: 'survivor.pdf',
    sha256: sha256(bytes),
    downloaded_at: '2026-01-03T00:00:00.000Z',
  });

  /** A folder whose lock has these rows; the service tells of the surviving report whichever id is asked for. */
  async function open(rows: readonly LockRow[], published = bytes, upstream?: UpstreamPort) {
    const report = reportOf(published, { report_id: 9 });
    const source = new FakeSource().tell(1, report).tell(9, report).serve(9, published);
    await putLock(home.path, ...rows);
    return { folder: openFolder(home.path, source, { upstream }), source, report };
  }
  const pdfs = async () => (await filesBelow(home.path)).filter((name) => name.endsWith('.pdf'));
  const held = async (folder: DownloadFolder) => pick(await folder.rows(), 'report_id', 'path', 'sha256');

  it('for one file is one row to everything', async () => {
    const { folder, source } = await open([{ ...retired, path: survivor.path }, survivor]);
    const states = async () => (await folder.verify()).map(({ row, state }) => [row.report_id, state]);
    assert.deepEqual(await states(), [[9, 'missing']]);
    assert.deepEqual(pick(await folder.restore(), 'report_id', 'status'), [[9, 'downloaded']]);
    assert.deepEqual(await states(), [[9, 'matches-lock']]);
    const look = await folder.lookForUpdates();
    assert.deepEqual([pick(look.current, 'report_id'), look.changed, look.merged], [[9], [], []]);
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
    assert.deepEqual(pick(results, 'status', 'path'), Array(2).fill(['downloaded', 'reports/survivor.pdf']));
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
      assert.deepEqual(pick(await folder.rows(), 'report_id'), [9]);
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
    const { folder, report } = await open([lockRow(5, { path: 'withdrawn.pdf' })], bytes, upstream);
    await folder.download([report]);
    assert.deepEqual(pick(await folder.rows(), 'report_id'), [5, 9]);
  });
});

describe('a merge of downloaded reports', function () {
  this.timeout(30_000);
  const home = temporaryFolder();

  for (const fields of [{ requested_legacy_report_id: 2 }, {}] as const) {
    const told = 'requested_legacy_report_id' in fields ? 'that says so' : 'that nothing but the other id tells of';
    it(`after a merge ${told} has one file and one row`, async () => {
      const source = new FakeSource();
      const folder = openFolder(home.path, source);
      const ids = async () => pick(await folder.rows(), 'report_id', 'path');
      const file = 'XDEM_ACME/2022/XDEM_ACME_2023_SR_2.pdf';
      await folder.download([source.publish(2)]);
      const survivor = source.publish(5, fields, pdf(5));
      source.tell(2, survivor);
      // Restored by its old id: the same bytes are not served any more.
      await unlink(join(home.path, 'reports', file));
      source.tell(2, reportOf(pdf(2), { report_id: 5, ...fields })).serve(5, pdf(2));
      assert.deepEqual(pick(await folder.restore(), 'report_id', 'status'), [[2, 'downloaded']]);
      assert.deepEqual(await ids(), [[5, file]]);
      // Updated, then asked for by either id.
      source.tell(5, survivor).tell(2, survivor).serve(5, pdf(5));
      const { changed } = await folder.lookForUpdates();
      const updated = await folder.download(changed.map((one) => ({ id: one.row.report_id, report: one.report })));
      assert.deepEqual(pick(updated, 'status'), ['downloaded']);
      assert.deepEqual((await folder.lookForUpdates()).changed, []);
      const again = await folder.download([{ id: 2 }, { id: 5 }, { id: 2 }]);
      assert.deepEqual(pick(again, 'report_id', 'status'), [
        [2, 'unchanged'],
        [5, 'unchanged'],
        [2, 'unchanged'],
      ]);
      assert.deepEqual(await ids(), [[5, file]]);
      const pdfs = (await filesBelow(home.path)).filter((name) => name.endsWith('.pdf'));
      assert.deepEqual(pdfs, [`reports/${file}`]);
    });

    it(`after a merge of two that were both downloaded, ${told}, is not called changed, and loses the row of the retired id`, async () => {
      const source = new FakeSource();
      const folder = openFolder(home.path, source);
      await folder.download([source.publish(2), source.publish(5)]);
      source.tell(2, reportOf(pdf(5), { report_id: 5, ...fields }));
      const { changed, merged } = await folder.lookForUpdates();
      assert.deepEqual([changed.length, merged.length], [0, 1]);
      await folder.download(merged.map((one) => ({ id: one.row.report_id, report: one.report })));
      assert.deepEqual(pick(await folder.rows(), 'report_id'), [5]);
      assert.deepEqual((await folder.lookForUpdates()).changed, []);
    });
  }
});
