import assert from 'node:assert/strict';
import { mkdir, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HeldFiles } from '../../../src/downloads/heldFiles.ts';
import { updateLock } from '../../../src/downloads/lockFile.ts';
import { type LockRow, withRows } from '../../../src/downloads/manifest.ts';
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
    await updateLock(at(), (lock) => withRows(lock, [row]), new FakeClock());
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
});
