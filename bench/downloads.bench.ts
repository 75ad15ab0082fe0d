import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { type ColumnName, columns } from '../src/api/schemas/columns.ts';
import type { Report } from '../src/api/schemas/report.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { Secret } from '../src/base/secret.ts';
import { DownloadFolder } from '../src/downloads/folder.ts';
import type { LinkSource } from '../src/downloads/ports.ts';
import { DownloadQueue } from '../src/downloads/queue.ts';

const files = Number(process.env.BENCH_FILES ?? 200);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const megabytes = 5;
const atOnce = 8;

/** Seconds of wall clock and of processor time that one round took. */
interface Cost {
  readonly seconds: number;
  readonly cpu: number;
}
type Peer = (server: Server, folder: string) => Promise<Cost>;
interface Server {
  readonly origin: string;
  readonly hashes: readonly string[];
  readonly process: ChildProcess;
}

const ours = 'report library';
const byOpenssl = 'xargs -P8 curl + openssl dgst -sha256';
const bySha256sum = 'xargs -P8 curl + sha256sum';

/**
 * 200 files of 5 MB over loopback, 8 at a time: the extension's whole path (link, stream, hash, fsync, rename, lock)
 * beside curl and a hash program, which do without link, fsync, rename and lock. Peers take turns within each round.
 */
export async function run() {
  const peers = new Map<string, Peer>([[ours, downloadByUs]]);
  if (has('curl') && has('xargs')) {
    if (has('openssl')) peers.set(byOpenssl, byShell('openssl dgst -sha256'));
    if (has('sha256sum')) peers.set(bySha256sum, byShell('sha256sum'));
  }
  const server = await serve();
  const costs = new Map<string, Cost[]>([...peers.keys()].map((name) => [name, []]));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [name, peer] of peers) {
        const folder = await mkdtemp(join(tmpdir(), 'report-library-bench-'));
        costs.get(name)?.push(await peer(server, folder));
        await rm(folder, { recursive: true });
      }
    }
  } finally {
    server.process.stdin?.end();
  }
  const p50 = (name: string, of: keyof Cost = 'seconds') => quantile(costs.get(name) ?? [], of, 0.5);
  const ratio = p50(byOpenssl) / p50(ours);
  const ratioSha256sum = p50(bySha256sum) / p50(ours);
  const cpuRatio = p50(ours, 'cpu') / p50(byOpenssl, 'cpu');
  return {
    name: `downloads: ${files} files of ${megabytes} MB, ${atOnce} at a time`,
    goal: '>= 1.2x curl + openssl, >= 1.6x curl + sha256sum, CPU <= 0.65x curl + openssl',
    unit: 's',
    rows: [...costs].map(([peer, list]) => ({
      peer,
      p50: quantile(list, 'seconds', 0.5),
      p95: quantile(list, 'seconds', 0.95),
      cpu: quantile(list, 'cpu', 0.5),
    })),
    ratio,
    ratioSha256sum,
    cpuRatio,
    met: costs.has(byOpenssl)
      ? ratio >= 1.2 && (!costs.has(bySha256sum) || ratioSha256sum >= 1.6) && cpuRatio <= 0.65
      : null,
  };
}

async function serve(): Promise<Server> {
  const script = fileURLToPath(new URL('downloadsServer.ts', import.meta.url));
  const child = spawn(process.execPath, ['--no-warnings', script, `${megabytes}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { port, hashes } = JSON.parse(String(line));
  return { origin: `http://127.0.0.1:${port}`, hashes, process: child };
}

async function downloadByUs({ origin, hashes }: Server, root: string): Promise<Cost> {
  const dispatcher = new Agent({ connections: atOnce, pipelining: 1 });
  const source: LinkSource = {
    report: () => Promise.reject(new Error('not asked for')),
    async downloadLink(reportId, options) {
      const { body } = await request(`${origin}/link/${reportId}`, { dispatcher, signal: options?.signal ?? null });
      const link = (await body.json()) as { url: string };
      const url = new Secret(link.url);
      return { report_id: reportId, url, expires_at: null, expires_in_seconds: null, content_type: null };
    },
    async openLink(link, options) {
      const { headers, body } = await request(link.url.reveal(), { dispatcher, signal: options?.signal ?? null });
      return { contentLength: Number(headers['content-length']), body, cancel: () => void body.destroy() };
    },
  };
  const queue = new DownloadQueue({ source, clock: systemClock, logger: silentLogger }, atOnce);
  const folder = new DownloadFolder({ root, folder: 'reports', queue, clock: systemClock, logger: silentLogger });
  const reports = Array.from({ length: files }, (_, index) => reportOf(index + 1, hashes));
  const cpu = process.cpuUsage();
  const start = performance.now();
  const results = await folder.download(reports);
  const seconds = (performance.now() - start) / 1000;
  const used = process.cpuUsage(cpu);
  await dispatcher.close();
  const wrong = results.find((result) => result.status !== 'downloaded' || !result.verified);
  if (wrong) throw new Error(`A download ended as ${wrong.status}: ${wrong.reason}`);
  return { seconds, cpu: (used.user + used.system) / 1e6 };
}

function reportOf(report_id: number, hashes: readonly string[]): Report {
  const metadata = Object.fromEntries(columns.map(({ name }) => [name, ''])) as Record<ColumnName, string>;
  const keys = { report_id, report_key: `XDEM_A_2023_SR_${report_id}`, company_key: 'XDEM_A', report_fcyear: 2022 };
  const content_sha256 = hashes[report_id % hashes.length] ?? null;
  return { ...keys, content_sha256, has_file: true, report_filesize: megabytes, metadata } as Partial<Report> as Report;
}

function byShell(hash: string): Peer {
  return async ({ origin }, folder) => {
    const ids = Array.from({ length: files }, (_, index) => index + 1).join('\n');
    const each = `curl -sf -o {}.pdf ${origin}/file/{} && ${hash} {}.pdf >/dev/null`;
    const script = `TIMEFORMAT='%R %U %S'; time xargs -P${atOnce} -I{} sh -c '${each}'`;
    const { stderr, status } = spawnSync('bash', ['-c', script], { cwd: folder, input: ids, encoding: 'utf8' });
    const [seconds = 0, user = 0, system = 0] = stderr.trim().split(/\s+/).map(Number);
    if (status !== 0 || !(seconds > 0)) throw new Error(`A peer failed: ${stderr}`);
    return { seconds, cpu: user + system };
  };
}

function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program} && command -v bash`], { stdio: 'ignore' }).status === 0;
}

function quantile(costs: readonly Cost[], of: keyof Cost, share: number): number {
  const sorted = costs.map((cost) => cost[of]).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
