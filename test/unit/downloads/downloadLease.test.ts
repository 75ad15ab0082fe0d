import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { memoryState } from '../../../src/base/sharedState.ts';
import { downloadReport } from '../../../src/downloads/download.ts';
import type { DownloadPorts } from '../../../src/downloads/ports.ts';
import { leases } from '../../../src/machine/lease.ts';
import { FakeSource, filesBelow, pdf, portsOf, report, temporaryFolder } from './fixtures.ts';

const path = 'reports/XDEM_ACME/2022/XDEM_ACME_2023_SR.pdf';
const good = pdf(1);
const other = pdf(2);

describe('a download that waited for its turn', () => {
  const folder = temporaryFolder();
  async function put(bytes: Uint8Array) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), bytes);
  }
  const stored = () => readFile(join(folder.path, path));

  it('agrees with another window that stored bytes without a published hash', async () => {
    const source = new FakeSource().serve(7, good);
    const ports = portsOf(source, { lease: leases(memoryState(), systemClock).lease });
    const unhashed = report({ content_sha256: null });
    const at = { root: folder.path, path, heldSha256: null };
    const results = await Promise.all([downloadReport(unhashed, at, ports), downloadReport(unhashed, at, ports)]);
    for (const { status, verified, replaced } of results)
      assert.deepEqual([status, verified, replaced], ['downloaded', false, undefined]);
    assert.deepEqual(await stored(), good);
    assert.deepEqual(await filesBelow(folder.path), [path]);
  });

  it('leaves a file alone that a person put there meanwhile', async () => {
    const lease: DownloadPorts['lease'] = async (_, work) => {
      await put(other);
      return work(new AbortController().signal);
    };
    const at = { root: folder.path, path, heldSha256: null };
    const source = new FakeSource().serve(7, good);
    const result = await downloadReport(report({ content_sha256: null }), at, portsOf(source, { lease }));
    assert.deepEqual([result.status, result.cause], ['failed', 'foreign']);
    assert.deepEqual(await stored(), other);
  });
});
