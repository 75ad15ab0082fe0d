import assert from 'node:assert/strict';
import { readFile, symlink, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inFolder } from '../../../src/downloads/lockFile.ts';
import { emptyLock, formatLock, type LockRow, lockName, parseLock, withRows } from '../../../src/downloads/manifest.ts';
import type { Upstream } from '../../../src/downloads/ports.ts';
import { HeldFiles, lookAtFiles, stateOf, upstreamIn } from '../../../src/downloads/verify.ts';
import { changeFile } from '../../../src/files/changeFile.ts';
import { FakeSource, laterClock, pdf, pdfsRead, put, reportOf, sha256, temporaryFolder } from './fixtures.ts';
import { lockRow, openFolder } from './folders.ts';

describe('a glance at held files', () => {
  const home = temporaryFolder();
  const letPass = laterClock();
  /** Lets the files that were written so far be old. */
  const letSettle = () => letPass(5000);
  const at = () => ({ root: home.path, folder: 'reports' });
  const file = (name: string) => join(home.path, 'reports', name);

  async function hold(name: string, bytes: Buffer, more: Partial<LockRow> = {}): Promise<void> {
    await put(file(name), bytes);
    const row = lockRow(1, { path: name, sha256: sha256(bytes), bytes: bytes.length, ...more });
    const withRow = async (text: string | undefined) =>
      formatLock(await withRows(text === undefined ? emptyLock : await parseLock(text), [row]));
    await changeFile(inFolder(at(), lockName), withRow);
  }

  it('says whose files are here, looks for each once, and again when it is told that one came or went', async () => {
    await hold('a.pdf', pdf(1));
    await hold('b.pdf', pdf(2), { report_id: 2 });
    await unlink(file('b.pdf'));
    const files = new HeldFiles(at());
    assert.deepEqual(await files.here(), [1]);
    await unlink(file('a.pdf'));
    await writeFile(file('b.pdf'), pdf(2));
    assert.deepEqual(await files.here(), [1]);
    files.forget('b.pdf');
    assert.deepEqual(await files.here(), [1, 2]);
    await unlink(file('b.pdf'));
    assert.ok(files.forget(''), 'a folder went, with all that was in it');
    assert.deepEqual(await files.here(), []);
    await writeFile(file('b.pdf'), pdf(2));
    assert.ok(!files.forget('b'), 'a name that only begins alike');
    files.forget('b.pdf');
    await hold('c.pdf', pdf(3), { report_id: 3 });
    assert.deepEqual(await files.here(), [2, 3]);
  });

  it('tells which files have another row since they were looked at, and not the others of a batch', async () => {
    await hold('a.pdf', pdf(1));
    const files = new HeldFiles(at());
    await files.look('a.pdf');
    assert.deepEqual(await files.changed(), []);
    await hold('b.pdf', pdf(2), { report_id: 2 });
    assert.deepEqual(await files.changed(), ['b.pdf']);
    await hold('a.pdf', pdf(3));
    assert.deepEqual(await files.changed(), ['a.pdf']);
    await unlink(file(lockName));
    assert.deepEqual(await files.changed(), ['a.pdf', 'b.pdf']);
    assert.deepEqual(await files.changed(), []);
  });

  it('reads a file again when it changed, also when its size and time are the same', async () => {
    await hold('a.pdf', pdf(1));
    const files = new HeldFiles(at());
    const time = new Date('2026-01-02T03:04:05Z');
    await utimes(file('a.pdf'), time, time);
    letSettle();
    assert.equal((await files.look('a.pdf'))?.state, 'same');
    assert.equal((await files.glance([1]))[0]?.state, 'same', 'a glance knows what was read');
    await writeFile(file('a.pdf'), pdf(11));
    await utimes(file('a.pdf'), time, time);
    assert.equal((await files.look('a.pdf'))?.state, 'edited');
  });

  it('remembers nothing of a file so young that another write may get the same times', async () => {
    await hold('a.pdf', pdf(1));
    const files = new HeldFiles(at());
    assert.equal((await files.look('a.pdf'))?.state, 'same');
    assert.equal((await files.glance([1]))[0]?.state, 'unread');
    letSettle();
    assert.equal((await files.look('a.pdf'))?.state, 'same');
    assert.equal((await files.glance([1]))[0]?.state, 'same');
  });

  it('follows the lock, and keeps to what it said while it cannot be read', async () => {
    await hold('a.pdf', pdf(1));
    const told: string[] = [];
    const files = new HeldFiles(at(), ({ message }) => void told.push(message));
    assert.equal(await files.look('b.pdf'), undefined);
    await hold('b.pdf', pdf(2), { report_id: 2 });
    assert.equal((await files.look('b.pdf'))?.state, 'same');
    assert.deepEqual(told, []);
    await writeFile(file('reports.lock.json'), 'nonsense');
    assert.equal((await files.look('b.pdf'))?.state, 'same');
    assert.match(told[0] ?? '', /is not valid JSON/);
    assert.equal(await new HeldFiles(at()).look('a.pdf'), undefined);
  });

  it('finds no report of another service in a lock, and looks at its files all the same', async () => {
    await hold('a.pdf', pdf(1));
    const lock = JSON.parse(await readFile(file('reports.lock.json'), 'utf8')) as object;
    await writeFile(file('reports.lock.json'), JSON.stringify({ origin: 'https://one.example', ...lock }));
    for (const [origin, isForeign] of [
      ['https://one.example', false],
      ['https://two.example', true],
      [undefined, false],
    ] as const) {
      const files = new HeldFiles(at(), undefined, () => origin);
      assert.equal((await files.look('a.pdf'))?.state, 'same');
      assert.equal(files.isForeign, isForeign);
      assert.deepEqual([(await files.glance([1])).length, await files.here()], isForeign ? [0, []] : [1, [1]]);
    }
  });

  it('believes no row: neither its time nor its word that it was verified', async () => {
    for (const downloaded_at of ['2999-01-01T00:00:00.000Z', new Date(Date.now() + 1000).toISOString()]) {
      await hold('a.pdf', pdf(1), { downloaded_at });
      await writeFile(file('a.pdf'), pdf(11));
      const files = new HeldFiles(at());
      assert.equal((await files.glance([1]))[0]?.state, 'unread');
      assert.equal((await files.look('a.pdf'))?.state, 'edited');
    }
  });

  it('tells the files of many reports apart in one look that reads none', async () => {
    for (const [index, name] of ['kept', 'edited', 'longer', 'gone'].entries()) {
      await hold(`${name}.pdf`, pdf(index), { report_id: index + 1 });
    }
    await writeFile(file('edited.pdf'), pdf(33));
    await writeFile(file('longer.pdf'), pdf(2, 300_000));
    await unlink(file('gone.pdf'));
    const files = new HeldFiles(at());
    const seen = async () => (await files.glance([1, 2, 3, 4, 99])).map(({ row, state }) => [row.report_id, state]);
    const others = [
      [3, 'edited'],
      [4, 'missing'],
    ];
    letSettle();
    // Same size: only reading tells.
    assert.deepEqual(await seen(), [[1, 'unread'], [2, 'unread'], ...others]);
    assert.equal((await files.look('edited.pdf'))?.state, 'edited');
    assert.deepEqual(await seen(), [[1, 'unread'], [2, 'edited'], ...others]);
  });

  it('calls bytes verified only when they are the published ones, whatever lock and file say together', async () => {
    await hold('a.pdf', pdf(1));
    const check = async (upstream?: Upstream) => {
      const known = new Map(upstream ? [[1, upstream]] : []);
      const folder = openFolder(home.path, new FakeSource(), { upstream: async () => known });
      const [restored] = await folder.restore();
      const [verified] = await folder.verify();
      return [verified?.state, restored?.status, restored?.verified, restored?.reason ?? ''];
    };
    const published = (bytes: Buffer | null) => ({ sha256: bytes && sha256(bytes), withdrawn: false });
    assert.deepEqual(await check(published(pdf(1))), ['verified', 'unchanged', true, '']);
    assert.deepEqual(await check(), [
      'matches-lock',
      'unchanged',
      false,
      'Matches the lock file; not yet checked with the service.',
    ]);
    assert.deepEqual((await check(published(pdf(2)))).slice(0, 3), ['newer', 'unchanged', false]);
    assert.deepEqual((await check(published(null))).slice(0, 3), ['unverified', 'unchanged', false]);
  });
});

describe('a look at all files of a lock', () => {
  const home = temporaryFolder();
  const at = () => ({ root: home.path, folder: 'reports' });
  const large = Buffer.alloc(65_000_000);
  const row = (path: string, bytes: Buffer, report_id: number) =>
    lockRow(report_id, { path, sha256: sha256(bytes), bytes: bytes.length });
  const rows = [
    row('small.pdf', pdf(1), 1),
    row('gone.pdf', pdf(2), 2),
    row('large.pdf', large, 3),
    row('linked.pdf', pdf(4), 4),
    row('edited.pdf', large, 5),
  ];

  beforeEach(async () => {
    const file = (name: string) => join(home.path, 'reports', name);
    await put(file('small.pdf'), pdf(1));
    await writeFile(file('large.pdf'), '');
    await writeFile(file('edited.pdf'), pdf(5));
    await symlink(file('small.pdf'), file('linked.pdf'));
    // Zeros that take no room.
    for (const name of ['large.pdf', 'edited.pdf']) await truncate(file(name), large.length);
  });

  it('says of each how it stands, in the order of the rows', async () => {
    const told: number[] = [];
    const held = await lookAtFiles(at(), rows, { onProgress: (checked) => told.push(checked) });
    assert.deepEqual(
      held.map((one) => [one.row.path, one.state]),
      [
        ['small.pdf', 'same'],
        ['gone.pdf', 'missing'],
        ['large.pdf', 'same'],
        ['linked.pdf', 'unreadable'],
        ['edited.pdf', 'edited'],
      ],
    );
    assert.match(held[3]?.reason ?? '', /symbolic link/);
    assert.deepEqual(told, [1, 2, 3, 4, 5]);
  });

  it('ends with the signal, in the middle of a large file', async () => {
    const cancel = new AbortController();
    const progress: number[] = [];
    const looking = lookAtFiles(at(), rows.slice(2, 3), { signal: cancel.signal, onProgress: (n) => progress.push(n) });
    setImmediate(() => cancel.abort());
    await assert.rejects(looking, { name: 'AbortError' });
    assert.deepEqual(progress, []);
  });
});

describe('what a library says of reports', () => {
  const summary = (report_id: number, report_key: string, state = 'listed') => ({
    ...{ report_id, report_key, state, sha256: sha256(pdf(1)) },
  });
  const asked = async (ids: readonly number[]) => {
    const items = [summary(1, 'NEW'), summary(9, 'SURVIVOR'), summary(2, 'RETIRED', 'withdrawn')];
    const survivor = { report_id: 9, report_key: 'SURVIVOR', content_sha256: sha256(pdf(1)) };
    return upstreamIn(
      {
        reports: async () => ({ items: items.filter(({ report_id }) => ids.includes(report_id)) }),
        report: async (id) => (id === 2 || id === 3 ? { report: survivor, state: 'listed' } : null),
        formerKeys: async () => [
          { report_id: 1, report_key: 'OLD' },
          { report_id: 9, report_key: 'BEFORE' },
        ],
      },
      ids,
    );
  };
  const heldAs = (report_id: number, report_key: string, state: 'same' | 'edited' | 'unread' = 'same') => ({
    row: lockRow(report_id, { report_key, sha256: sha256(pdf(1)) }),
    state,
  });

  it('tells rows of its present, former and merged keys from one that it never had', async () => {
    const known = await asked([1, 2, 3]);
    for (const [id, key, expected] of [
      [1, 'NEW', 'verified'],
      [1, 'OLD', 'verified'],
      [1, 'SURVIVOR', 'other-key'],
      [2, 'RETIRED', 'verified'],
      [2, 'SURVIVOR', 'verified'],
      [2, 'BEFORE', 'verified'],
      [2, 'OLD', 'other-key'],
      [3, 'WHO KNOWS', 'verified'],
      [4, 'UNKNOWN', 'matches-lock'],
    ] as const)
      assert.equal(stateOf(heldAs(id, key), known.get(id)), expected, key);
    assert.equal(stateOf(heldAs(1, 'X', 'edited'), known.get(1)), 'edited');
    assert.equal(stateOf(heldAs(1, 'X', 'unread'), known.get(1)), 'other-key');
  });
});

describe('a PDF that was hashed', () => {
  const home = temporaryFolder();
  const read = pdfsRead();
  /** Downloads report 7; gives its file, and what looks at it. */
  async function downloaded() {
    const source = new FakeSource().serve(7, pdf(7));
    const folder = openFolder(home.path, source);
    const [result] = await folder.download([reportOf(pdf(7))]);
    const path = result?.path?.slice('reports/'.length) ?? '';
    const files = new HeldFiles({ root: home.path, folder: 'reports' });
    return { file: join(home.path, 'reports', path), path, folder, files };
  }

  it('on its way here is read no more', async () => {
    const { folder, files, path } = await downloaded();
    assert.equal((await files.glance([7]))[0]?.state, 'same');
    assert.equal((await files.look(path))?.state, 'same');
    assert.equal((await folder.download([reportOf(pdf(7))]))[0]?.status, 'unchanged');
    assert.deepEqual(read, []);
    assert.equal((await folder.verify())[0]?.state, 'matches-lock');
    assert.equal(read.length, 1, 'a person who has it verified means the bytes');
  });
});
