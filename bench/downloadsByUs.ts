import { Client } from 'undici';
import { type ColumnName, columns } from '../src/api/schemas/fields.ts';
import type { Report } from '../src/api/schemas/report.ts';
import type { Permit } from '../src/api/transport/budget.ts';
import { openLink } from '../src/api/transport/link.ts';

import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { Secret } from '../src/base/secret.ts';
import { DownloadFolder } from '../src/downloads/folder.ts';
import type { LinkSource } from '../src/downloads/ports.ts';
import { DownloadQueue } from '../src/downloads/queue.ts';
import { machineLeases } from '../src/machine/lease.ts';

/** Seconds of wall clock and of processor time that one round took. */
export interface Cost {
  readonly seconds: number;
  readonly cpu: number;
}

/** What to download, and where to. */
export interface Task {
  readonly origin: string;
  readonly hashes: readonly string[];
  readonly root: string;
  readonly files: number;
  readonly atOnce: number;
  readonly megabytes: number;
}

/** The extension's whole path for each file: link, stream, hash, fsync, rename, lock. */
export async function downloadByUs({ origin, hashes, root, files, atOnce, megabytes }: Task): Promise<Cost> {
  const budget = unpaced(origin, atOnce);
  const options = { baseUrl: new URL(origin), userAgent: 'bench', budget };
  const source: LinkSource = {
    report: () => Promise.reject(new Error('not asked for')),
    async downloadLink(reportId, call) {
      const go = await budget.acquire();
      const { body } = await go.send({ method: 'GET', path: `/link/${reportId}`, signal: call?.signal ?? null });
      const link = (await body.json()) as { url: string };
      go.release();
      const url = new Secret(link.url);
      return { report_id: reportId, url };
    },
    openLink: (link, call = {}) => openLink(link, call, { ...options, clock: systemClock, logger: silentLogger }),
  };
  const queue = new DownloadQueue(
    { source, clock: systemClock, logger: silentLogger, lease: machineLeases().lease },
    atOnce,
  );
  const folder = new DownloadFolder({ root, folder: 'reports', queue, clock: systemClock, logger: silentLogger });
  const reports = Array.from({ length: files }, (_, index) => reportOf(index + 1, hashes, megabytes));
  const cpu = process.cpuUsage();
  const start = performance.now();
  const results = await folder.download(reports);
  const seconds = (performance.now() - start) / 1000;
  const used = process.cpuUsage(cpu);
  await budget.close();
  const wrong = results.find((result) => result.status !== 'downloaded' || !result.verified);
  if (wrong) throw new Error(`A download ended as ${wrong.status}: ${wrong.reason}`);
  return { seconds, cpu: (used.user + used.system) / 1e6 };
}

/** Sockets without the pace of the service, one a download: for its link, then for its file. */
function unpaced(origin: string, atOnce: number) {
  const idle = Array.from({ length: atOnce }, () => new Client(origin, { pipelining: 1 }));
  return {
    ended: new AbortController().signal,
    async acquire(): Promise<Permit> {
      const client = idle.pop() as Client;
      return { send: (request) => client.request(request), release: () => void idle.push(client) };
    },
    pause: async () => {},
    close: () => Promise.all(idle.map((client) => client.close())),
  };
}

/** A report whose PDF is one of the few files that the host has. */
export function reportOf(report_id: number, hashes: readonly string[], megabytes: number): Report {
  const metadata = Object.fromEntries(columns.map(({ name }) => [name, ''])) as Record<ColumnName, string>;
  const keys = { report_id, report_key: `XDEM_A_2023_SR_${report_id}`, company_key: 'XDEM_A', report_fcyear: 2022 };
  const content_sha256 = hashes[report_id % hashes.length] ?? null;
  return { ...keys, content_sha256, has_file: true, report_filesize: megabytes, metadata } as Partial<Report> as Report;
}
