import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../src/api/client.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { Secret } from '../src/base/secret.ts';
import { DownloadFolder } from '../src/downloads/folder.ts';
import { DownloadQueue } from '../src/downloads/queue.ts';
import { machineLeases } from '../src/machine/lease.ts';
import { reportOf } from './downloadsByUs.ts';
import { serveFiles } from './downloadsServing.ts';
import type { BenchmarkResult } from './libraryBenchmark.ts';

/** Requests a second that the budget lets go at most for long: nine in 1,156 ms. */
const maxLastingRate = 9 / 1.156;

const megabytes = 5;
/** What the client is set to when nobody sets it. */
const requestsPerSecond = 8;
const files = Number(process.env.BENCH_SECONDS ?? 30) * requestsPerSecond;

interface Counts {
  /** When each link was given, ms. */
  readonly granted: readonly number[];
  readonly refused: number;
  readonly maxOfOne: number;
  readonly reports: number;
}

/**
 * Files of 5 MB at the permitted rate, by the extension's real client, from a strict service that refuses any tenth
 * request within a second: how much of the rate is used, over half a minute.
 */
export async function run(): Promise<BenchmarkResult> {
  const server = await serveFiles(megabytes);
  const root = await mkdtemp(join(tmpdir(), 'report-library-bench-'));
  const client = createClient({
    baseUrl: `${server.strictOrigin}/api/v2`,
    key: new Secret('bench_live_key'),
    authentication: 'bearer',
    userAgent: 'bench',
    requestsPerSecond,
  });
  try {
    const ports = { clock: systemClock, logger: silentLogger };
    const queue = new DownloadQueue({ source: client, lease: machineLeases().lease, ...ports });
    const folder = new DownloadFolder({ root, folder: 'reports', queue, ...ports });
    const reports = Array.from({ length: files }, (_, index) => reportOf(index + 1, server.hashes, megabytes));
    const results = await folder.download(reports);
    const stored = results.filter(({ status, verified }) => status === 'downloaded' && verified).length;
    const counts = (await (await fetch(`${server.strictOrigin}/counts`)).json()) as Counts;
    return resultOf(counts, stored);
  } finally {
    client.dispose();
    server.end();
    await rm(root, { recursive: true });
  }
}

function resultOf({ granted, refused, maxOfOne, reports }: Counts, stored: number) {
  // Without the burst that a quiet second allows.
  const steady = granted.slice(requestsPerSecond);
  const seconds = ((steady.at(-1) ?? 0) - (steady[0] ?? 0)) / 1000;
  const rate = (steady.length - 1) / seconds;
  const permitted = Math.min(requestsPerSecond, maxLastingRate);
  const ratio = rate / permitted;
  return {
    name: `downloads at the permitted rate: ${files} files of ${megabytes} MB, ${permitted.toFixed(2)} links a second`,
    goal: '>= 0.98 of the rate used, no 429, one link request per file',
    unit: 'links/s',
    rows: [{ peer: 'report library', p50: rate, p95: rate }],
    ratio,
    megabytesPerSecond: rate * megabytes,
    refused,
    linksOfOneFile: maxOfOne,
    met: ratio >= 0.98 && refused === 0 && maxOfOne === 1 && reports === files && stored === files,
  };
}
