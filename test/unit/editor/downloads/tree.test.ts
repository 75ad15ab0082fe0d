import assert from 'node:assert/strict';
import type { DownloadResult, DownloadStatus } from '../../../../src/downloads/ports.ts';
import type { QueueJob } from '../../../../src/downloads/queue.ts';
import { DownloadsTree, newestSince } from '../../../../src/editor/downloads/tree.ts';
import {
  type DownloadGroup,
  type DownloadNode,
  entryName,
  entryStatus,
  entryTooltip,
  isDownloadEntry,
} from '../../../../src/editor/downloads/treeItems.ts';
import { FakeClock, report } from '../../downloads/fixtures.ts';

const day = 24 * 3600 * 1000;

function job(report_id: number): QueueJob {
  const target = { root: '/work', path: `reports/XDEM_ACME/${report_id}.pdf`, heldSha256: null };
  return { report: report({ report_id }), target, askedId: report_id };
}

function result(of: QueueJob, status: DownloadStatus, more: Partial<DownloadResult> = {}): DownloadResult {
  const { report_id } = of.report;
  return { report_id, status, verified: status === 'downloaded', links: 1, report: of.report, ...more };
}

describe('the downloads of a window', () => {
  const clock = new FakeClock();
  const [one, two, three] = [job(1), job(2), job(3)];
  const view: { badge?: { readonly value: number; readonly tooltip: string } | undefined } = {};
  let tree: DownloadsTree;
  beforeEach(() => {
    tree = new DownloadsTree(clock, view);
  });

  const ids = (group: DownloadGroup) => tree.entries(group).map(({ report }) => report.report_id);

  it('moves a download from waiting over active to its end', () => {
    for (const each of [one, two, three]) tree.note({ job: each, state: 'waiting' });
    tree.note({ job: two, state: 'active', bytes: 0, total: null });
    assert.deepEqual([ids('waiting'), ids('active')], [[1, 3], [2]]);
    tree.note({ job: two, state: 'done', result: result(two, 'downloaded') });
    tree.note({ job: three, state: 'done', result: result(three, 'failed', { reason: 'The disk is full.' }) });
    assert.deepEqual([ids('waiting'), ids('active'), ids('failed'), ids('done')], [[1], [], [3], [2]]);
  });

  it('draws one entry again for its progress and the whole tree for any other change, and bears how many run', async () => {
    const told: (readonly DownloadNode[] | undefined)[] = [];
    tree.onDidChangeTreeData((nodes) => void told.push(nodes));
    const drawn = () => new Promise<void>((resolve) => setImmediate(resolve));
    tree.note({ job: one, state: 'waiting' });
    tree.note({ job: one, state: 'active', bytes: 0, total: null });
    await drawn();
    assert.equal(view.badge?.tooltip, 'Downloading 1 PDF');
    tree.note({ job: one, state: 'active', bytes: 5, total: 9 });
    tree.note({ job: one, state: 'active', bytes: 9, total: 9 });
    await drawn();
    assert.deepEqual(told, [undefined, tree.entries('active')]);
    tree.note({ job: one, state: 'done', result: result(one, 'downloaded') });
    await drawn();
    assert.equal(view.badge, undefined);
  });

  it('keeps nothing of what was here already, cancelled, or has no file', () => {
    for (const status of ['unchanged', 'cancelled', 'no-file'] as const) {
      tree.note({ job: one, state: 'waiting' });
      tree.note({ job: one, state: 'done', result: result(one, status) });
    }
    assert.deepEqual([ids('waiting'), ids('failed'), ids('done')], [[], [], []]);
  });

  it('keeps what was done today when a person asks for it again and it is here already', () => {
    for (const each of [one, two]) tree.note({ job: each, state: 'done', result: result(each, 'downloaded') });
    tree.note({ job: one, state: 'waiting' });
    assert.deepEqual([ids('waiting'), ids('done')], [[1], [2]]);
    tree.note({ job: one, state: 'done', result: result(one, 'unchanged') });
    assert.deepEqual([ids('waiting'), ids('done')], [[], [2, 1]]);
  });

  it('keeps a failure whose next try is cancelled, but not when the file is here by then', () => {
    for (const [status, left] of [
      ['cancelled', [1]],
      ['unchanged', []],
    ] as const) {
      tree.note({ job: one, state: 'done', result: result(one, 'failed') });
      tree.note({ job: one, state: 'waiting' });
      tree.note({ job: one, state: 'done', result: result(one, status) });
      assert.deepEqual(ids('failed'), left);
    }
  });

  it('shows only what was done today, latest first, and failures until they are cleared', () => {
    tree.note({ job: one, state: 'done', result: result(one, 'downloaded') });
    tree.note({ job: two, state: 'done', result: result(two, 'downloaded') });
    tree.note({ job: three, state: 'done', result: result(three, 'failed') });
    assert.deepEqual(ids('done'), [2, 1]);
    clock.time += day;
    assert.deepEqual([ids('done'), ids('failed')], [[], [3]]);
    tree.clearFinished();
    assert.deepEqual(ids('failed'), []);
  });

  it('knows what came today before the window was opened, below what came since, under its title', () => {
    tree.note({ job: two, state: 'done', result: result(two, 'downloaded') });
    const earlier = { ...one, report: { ...one.report, report_title: 'Acme 2023', report_fcyear: 2022 } };
    const newest = [
      { job: job(2), endedAt: clock.now(), bytes: 1 },
      { job: earlier, endedAt: clock.now(), bytes: 2_100_000 },
      { job: three, endedAt: clock.now() - day, bytes: 1 },
    ];
    tree.addDone({ newest, more: 7 });
    assert.equal(tree.more, 7);
    assert.deepEqual(ids('done'), [1, 2].toReversed());
    const entry = tree.entries('done').at(-1);
    assert.ok(entry);
    assert.deepEqual([entryName(entry), entryStatus(entry)], ['Acme 2023', '2.1 MB · here']);
  });

  it('says the title of what came before the window was opened once the library knows it', () => {
    tree.addDone({ newest: [{ job: one, endedAt: clock.now(), bytes: 1 }], more: 0 });
    tree.note({ job: two, state: 'done', result: result(two, 'downloaded') });
    const named = { ...one, report: { ...one.report, report_title: 'Acme 2023' } };
    tree.addDone({ newest: [{ job: named, endedAt: clock.now(), bytes: 1 }], more: 0 });
    assert.deepEqual(ids('done'), [2, 1]);
    assert.equal(tree.entries('done').at(-1)?.report.report_title, 'Acme 2023');
    tree.clearFinished();
    tree.addDone({ newest: [{ job: named, endedAt: clock.now(), bytes: 1 }], more: 0 });
    assert.deepEqual(ids('done'), []);
  });

  it('shows the newest 200 of a lock that names more, each path once, and how many more there are', () => {
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    const rowAt = (path: string, ms: number) => ({ row: { path, downloaded_at: at(ms) } });
    const rows = Array.from({ length: 20_000 }, (_, index) => rowAt(`${index}.pdf`, index - 20_000));
    const strange = [rowAt('19999.pdf', -1), rowAt('tomorrow.pdf', day), rowAt('yesterday.pdf', -day)];
    const { newest, more } = newestSince([...rows, ...strange], clock.now() - 20_000, clock.now());
    assert.deepEqual([newest.length, more], [200, 19_800]);
    assert.deepEqual([newest[0]?.row.path, newest[199]?.row.path], ['19999.pdf', '19800.pdf']);
    tree.addDone({ newest: [], more });
    assert.equal(tree.more, 19_800);
    clock.time += day;
    assert.equal(tree.more, 0);
  });

  it('shows a failure that is tried again as waiting until its job begins, as one row', () => {
    tree.note({ job: one, state: 'done', result: result(one, 'failed') });
    tree.note({ job: one, state: 'waiting' });
    assert.deepEqual([ids('failed'), ids('waiting')], [[], [1]]);
    const again = job(1);
    tree.note({ job: again, state: 'waiting' });
    assert.deepEqual(ids('waiting'), [1]);
    assert.equal(tree.entries('waiting')[0]?.job, again, 'what a person cancels is what runs');
  });

  it('says beside a title whose report it is, and how it stands unless it is done and verified', () => {
    const more = { report_title: 'Acme 2023', report_fcyear: 2022, company_name: 'Acme AG' };
    const titled = { ...one, report: { ...one.report, ...more } };
    tree.note({ job: titled, state: 'waiting' });
    const row = () => {
      const [entry] = [...tree.entries('waiting'), ...tree.entries('failed'), ...tree.entries('done')];
      assert.ok(entry);
      const { label, description, tooltip } = tree.getTreeItem(entry);
      return [label, description, tooltip];
    };
    const path = one.target.path;
    assert.deepEqual(row(), ['Acme 2023', '2022 · Waiting · Acme AG', `Acme AG\n${path}\n2022 · Waiting`]);
    tree.note({ job: titled, state: 'done', result: result(titled, 'downloaded', { bytes: 5_000_000 }) });
    assert.deepEqual(row(), ['Acme 2023', 'Acme AG', `Acme AG\n${path}\n2022 · 5.0 MB · verified`]);
    const doubted = result(titled, 'downloaded', { bytes: 5_000_000, verified: false });
    tree.note({ job: titled, state: 'done', result: doubted });
    assert.equal(row()[1], '2022 · 5.0 MB · not verified · Acme AG');
    tree.note({ job: titled, state: 'done', result: result(titled, 'failed', { reason: 'The disk is full.' }) });
    assert.equal(row()[1], 'Acme AG · 2022 · The disk is full.');
  });

  it('says in a few words how far each is', () => {
    tree.note({ job: one, state: 'waiting' });
    const [entry] = tree.entries('waiting');
    assert.ok(entry && isDownloadEntry(entry));
    assert.deepEqual([entryName(entry), entryStatus(entry)], ['1', 'Waiting']);
    tree.note({ job: one, state: 'active', bytes: 2_100_000, total: 5_000_000 });
    assert.equal(entryStatus(entry), '2.1 MB of 5.0 MB');
    const end = { bytes: 5_000_000, replaced: 'a'.repeat(64) };
    tree.note({ job: one, state: 'done', result: result(one, 'downloaded', end) });
    assert.equal(entryStatus(entry), '5.0 MB · verified · replaced an older version');
    assert.match(entryTooltip(entry), /^reports\/XDEM_ACME\/1\.pdf\n2022 · 5\.0 MB/);
  });
});
