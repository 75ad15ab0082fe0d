import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, request } from 'undici';
import { reportEndpoints } from '../src/api/endpoints/reports.ts';
import type { Service } from '../src/api/transport/answers.ts';
import { createService } from '../src/api/transport/service.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { Secret } from '../src/base/secret.ts';
import { type BenchmarkResult, percentile } from './libraryBenchmark.ts';

const pageSize = 200;
const pagesEach = 24;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3) * 8;

/** Reports a second of one walk over the pages. */
type Peer = (client: Client, origin: string) => Promise<number>;

const peers: Readonly<Record<string, Peer>> = { 'report library': walkWithUs, 'undici + JSON.parse': walkBare };

/**
 * Pages of 200 reports over loopback, one after the other: fetched, parsed and checked by the client without its pace,
 * beside undici and JSON.parse alone. Peers take turns.
 */
export async function run(): Promise<BenchmarkResult> {
  const script = fileURLToPath(new URL('clientServer.ts', import.meta.url));
  const server = spawn(process.execPath, ['--no-warnings', script, `${pageSize}`, `${pagesEach + 1}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(createInterface(server.stdout), 'line');
  const origin = `http://127.0.0.1:${port}`;
  const client = new Client(origin);
  const speeds = new Map<string, number[]>(Object.keys(peers).map((name) => [name, []]));
  try {
    for (let round = -2; round < rounds; round++) {
      for (const [name, walk] of Object.entries(peers)) {
        const speed = await walk(client, origin);
        // The first rounds warm both up.
        if (round >= 0) speeds.get(name)?.push(speed);
      }
    }
  } finally {
    await client.close();
    server.stdin.end();
  }
  const [ours = [], bare = []] = [...speeds.values()];
  const ratio = percentile(ours, 0.5) / percentile(bare, 0.5);
  return {
    name: `client: pages of ${pageSize} reports over loopback`,
    goal: '>= 0.6x undici + JSON.parse',
    unit: 'reports/s',
    rows: [...speeds].map(([peer, list]) => ({ peer, p50: percentile(list, 0.5), p95: percentile(list, 0.05) })),
    ratio,
    met: ratio >= 0.6,
  };
}

async function walkWithUs(client: Client, origin: string): Promise<number> {
  const service = unpaced(client, origin);
  let reports = 0;
  let pages = 0;
  const start = performance.now();
  for await (const page of reportEndpoints(service).reports()) {
    if (page.quarantined.length > 0) throw new Error('A good report was refused.');
    reports += page.data.length;
    if (++pages === pagesEach) break;
  }
  return (reports / (performance.now() - start)) * 1000;
}

async function walkBare(client: Client, origin: string): Promise<number> {
  let reports = 0;
  let cursor = '';
  const start = performance.now();
  for (let page = 0; page < pagesEach; page++) {
    const { body } = await request(`${origin}/api/v2/reports?limit=${pageSize}${cursor}`, { dispatcher: client });
    const answer = JSON.parse(await body.text());
    reports += answer.data.length;
    cursor = `&cursor=${answer.page_info.next_cursor}`;
  }
  return (reports / (performance.now() - start)) * 1000;
}

/** The client's whole way but its budget, which keeps to a few requests a second. */
function unpaced(client: Client, origin: string): Service {
  return createService({
    baseUrl: new URL('/api/v2', origin),
    key: new Secret('abc_live_0123456789abcdef'),
    authentication: 'bearer',
    userAgent: 'bench',
    budget: {
      origin,
      ended: new AbortController().signal,
      acquire: async () => ({ send: (request) => client.request(request), release() {} }),
      read: async () => {},
      pause: async () => {},
    },
    clock: systemClock,
    random: Math.random,
    logger: silentLogger,
  });
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`);
