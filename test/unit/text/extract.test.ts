import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { createCatalogue } from '../../../src/demo/seed/catalogue.ts';
import { PdfReader } from '../../../src/text/extract.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const script = join(import.meta.dirname, '..', '..', '..', 'src', 'text', 'reader.worker.ts');
const catalogue = createCatalogue({ companies: 40, seed: 1 });
const demoPdf = async (key: string) => {
  const report = catalogue.reports.find(({ report_key }) => report_key === key);
  assert.ok(report, key);
  return catalogue.pdf(report);
};

describe('Reading PDFs in a process of its own', () => {
  let folder = '';
  let reader: PdfReader;
  const place = async (name: string, bytes: Uint8Array | string) => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'report-library-text-'));
    reader = new PdfReader({ script, clock: systemClock, logger: silentLogger });
  });
  after(async () => {
    reader.dispose();
    await rm(folder, { recursive: true });
  });

  it('gives each page with its printed label, in the normal form', async () => {
    const { bytes, pages, sha256 } = await demoPdf('XETR_ALBM_2023_AR2');
    const read = await reader.read(await place('german.pdf', bytes));
    assert.equal(read.kind, 'read');
    assert.ok(read.kind === 'read');
    assert.deepEqual([read.sha256, read.bytes, read.pages.length], [sha256, bytes.length, pages]);
    assert.deepEqual([read.damaged, read.left], [[], 0]);
    assert.deepEqual(
      read.pages.slice(0, 5).map(({ label }) => label),
      ['i', 'ii', 'iii', '1', '2'],
    );
    assert.match(
      read.pages[3]?.text ?? '',
      /^Geschäftsverlauf Altenbruch .* die Lieferzeiten normalisierten sich erst im zweiten Halbjahr\./,
    );
    assert.ok(read.pages.every(({ text }) => !/[\n\r]/.test(text)));
  });

  it('says so of scans, of files that are no PDF, and of what can’t be opened', async () => {
    const scan = await demoPdf('XNSE_SURYAGIRI_2016_AR1');
    assert.deepEqual(await reader.read(await place('scan.pdf', scan.bytes)), {
      kind: 'without-text',
      sha256: scan.sha256,
      bytes: scan.bytes.length,
      pages: scan.pages,
    });
    const sha256 = createHash('sha256').update('Not found').digest('hex');
    assert.deepEqual(await reader.read(await place('page.pdf', 'Not found')), {
      kind: 'failed',
      sha256,
      reason: 'not-a-pdf',
    });
    const empty = createHash('sha256').digest('hex');
    assert.deepEqual(await reader.read(await place('empty.pdf', '')), {
      kind: 'failed',
      sha256: empty,
      reason: 'empty',
    });
    for (const path of [folder, join(folder, 'missing.pdf')])
      assert.deepEqual(await reader.read(path), { kind: 'failed', sha256: null, reason: 'unreadable-file' });
  });

  it('stops when told to, and reads the next one', async () => {
    const path = await place('next.pdf', (await demoPdf('XPAR_VMIS_2022_AR2')).bytes);
    const controller = new AbortController();
    const cancelled = reader.read(path, controller.signal);
    const next = reader.read(path);
    controller.abort();
    await assert.rejects(cancelled, { name: 'AbortError' });
    assert.equal((await next).kind, 'read');
  });

  it('ends one that takes too long, and the process when it is idle', async () => {
    const clock = new FakeClock();
    const ends: string[] = [];
    const log = { ...silentLogger, debug: (message: string) => ends.push(message) };
    const own = new PdfReader({ script, clock, logger: log });
    const path = await place('slow.pdf', (await demoPdf('XPAR_VMIS_2022_AR2')).bytes);
    const slow = own.read(path);
    await clock.untilSleeping((ms) => ms === 30_000);
    await clock.advance(31_000);
    assert.deepEqual(await slow, { kind: 'failed', sha256: null, reason: 'too-slow' });
    assert.equal((await own.read(path)).kind, 'read');
    assert.equal(ends.length, 1);
    await clock.untilSleeping((ms) => ms === 15_000);
    await clock.advance(15_000);
    assert.equal((await own.read(path)).kind, 'read');
    assert.equal(ends.length, 2);
    own.dispose();
    await assert.rejects(own.read(path), { name: 'AbortError' });
  });
});
