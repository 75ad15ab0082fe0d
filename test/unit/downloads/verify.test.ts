import assert from 'node:assert/strict';
import { mkdir, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inFolder, updateText } from '../../../src/downloads/lockFile.ts';
import { emptyLock, formatLock, type LockRow, lockName, parseLock, withRows } from '../../../src/downloads/manifest.ts';
import { HeldFiles } from '../../../src/downloads/verify.ts';
import { FakeClock, pdf, sha256, temporaryFolder } from './fixtures.ts';

describe('a glance at held files', () => {
  const home = temporaryFolder();
  const at = () => ({ root: home.path, folder: 'reports' });
  const file = (name: string) => join(home.path, 'reports', name);

  async function hold(name: string, bytes: Buffer, more: Partial<LockRow> = {}): Promise<void> {
    await mkdir(join(home.path, 'reports'), { recursive: true });
    await writeFile(file(name), bytes);
    const row: LockRow = {
      report_id: 1,
      report_key: 'XDEM_ACME_2023_SR',
      company_key: 'XDEM_ACME',
      path: name,
      sha256: sha256(bytes),
      bytes: bytes.length,
      downloaded_at: '2026-01-02T03:04:05.000Z',
      schema_version: 'V3',
      ...more,
    };
    const lock = (text: string | undefined) => (text === undefined ? emptyLock : parseLock(text));
    const withRow = (text: string | undefined) => formatLock(withRows(lock(text), [row]));
    await updateText(inFolder(at(), lockName), withRow, new FakeClock());
  }

  it('tells verified, unverified, edited and missing files apart', async () => {
    await hold('a.pdf', pdf(1));
    await hold('b.pdf', pdf(2), { report_id: 2, verified: false });
    await hold('c.pdf', pdf(3), { report_id: 3 });
    await hold('d.pdf', pdf(4), { report_id: 4 });
    await writeFile(file('c.pdf'), pdf(33));
    await unlink(file('d.pdf'));
    await writeFile(file('own.pdf'), pdf(9));
    const files = new HeldFiles(at());
    const states = [];
    for (const name of ['a', 'b', 'c', 'd', 'own']) states.push((await files.look(`${name}.pdf`))?.state);
    assert.deepEqual(states, ['verified', 'unverified', 'edited', 'missing', undefined]);
  });

  it('reads a file again only when its size or time changed', async () => {
    await hold('a.pdf', pdf(1));
    const files = new HeldFiles(at());
    const time = new Date('2026-01-02T03:04:05Z');
    await utimes(file('a.pdf'), time, time);
    assert.equal((await files.look('a.pdf'))?.state, 'verified');
    await writeFile(file('a.pdf'), pdf(11));
    await utimes(file('a.pdf'), time, time);
    assert.equal((await files.look('a.pdf'))?.state, 'verified', 'it was read again');
    await utimes(file('a.pdf'), time, new Date(time.getTime() + 1000));
    assert.equal((await files.look('a.pdf'))?.state, 'edited');
  });

  it('keeps to the lock it read until it is told that it changed', async () => {
    await hold('a.pdf', pdf(1));
    const files = new HeldFiles(at());
    assert.equal(await files.look('b.pdf'), undefined);
    await hold('b.pdf', pdf(2), { report_id: 2 });
    assert.equal(await files.look('b.pdf'), undefined);
    files.forgetLock();
    assert.equal((await files.look('b.pdf'))?.state, 'verified');
  });

  it('claims nothing while the lock cannot be read', async () => {
    await hold('a.pdf', pdf(1));
    await writeFile(file('reports.lock.json'), 'nonsense');
    assert.equal(await new HeldFiles(at()).look('a.pdf'), undefined);
  });

  it('takes a time that is still to come for no look at all', async () => {
    await hold('a.pdf', pdf(1), { downloaded_at: '2999-01-01T00:00:00.000Z' });
    await writeFile(file('a.pdf'), pdf(11));
    const files = new HeldFiles(at());
    assert.deepEqual(
      (await files.glance([1])).map(({ isTouched }) => isTouched),
      [true],
    );
    assert.equal((await files.look('a.pdf'))?.state, 'edited');
  });

  it('tells the files of many reports apart in one look that reads none', async () => {
    const names = ['kept', 'edited', 'longer', 'gone', 'unverified'];
    for (const [index, name] of names.entries()) {
      const more = { report_id: index + 1, downloaded_at: new Date().toISOString() };
      await hold(`${name}.pdf`, pdf(index), name === 'unverified' ? { ...more, verified: false } : more);
    }
    await writeFile(file('edited.pdf'), pdf(33));
    const later = new Date(Date.now() + 3_600_000);
    await utimes(file('edited.pdf'), later, later);
    await writeFile(file('longer.pdf'), pdf(2, 200_000));
    await unlink(file('gone.pdf'));
    const files = new HeldFiles(at());
    const seen = async () =>
      (await files.glance([1, 2, 3, 4, 5, 99])).map(({ row, state, isTouched }) => [row.report_id, state, isTouched]);
    const others = [
      [3, 'edited', false],
      [4, 'missing', false],
      [5, 'unverified', false],
    ];
    // Same size: only reading tells. It was written to after it came, and the look says so.
    assert.deepEqual(await seen(), [[1, 'verified', false], [2, 'verified', true], ...others]);
    assert.equal((await files.look('edited.pdf'))?.state, 'edited');
    assert.deepEqual(await seen(), [[1, 'verified', false], [2, 'edited', false], ...others]);
  });
});
