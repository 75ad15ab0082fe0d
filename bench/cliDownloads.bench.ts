import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../scripts/build.ts';
import { root } from '../scripts/places.ts';
import { createClient } from '../src/api/client.ts';
import type { Report } from '../src/api/schemas/report.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { Secret } from '../src/base/secret.ts';
import { ContentCache } from '../src/downloads/cache.ts';
import { DownloadFolder } from '../src/downloads/folder.ts';
import { DownloadQueue } from '../src/downloads/queue.ts';
import { leases } from '../src/machine/lease.ts';
import { machineState } from '../src/machine/machineState.ts';
import { type FileServer, serveFiles } from './downloadsServing.ts';
import { type BenchmarkResult, percentile } from './libraryBenchmark.ts';

/** Requests a second that the budget lets go at most for long: nine in 1,156 ms. */
const maxLastingRate = 9 / 1.156;

const megabytes = 5;
const files = 200;
const rounds = Number(process.env.BENCH_ROUNDS ?? 1);
const main = join(root, 'dist-cli', 'dist', 'cli', 'main.js');
const key = 'bench_live_key';

/** Downloads into a folder; how long that took, ms. */
type Peer = (server: FileServer, folder: string) => Promise<number> | number;

const byCli: Peer = ({ strictOrigin }, folder) => {
  const env = { ...process.env, REPORT_LIBRARY_BASE_URL: `${strictOrigin}/api/v2`, REPORT_LIBRARY_API_KEY: key };
  const profile = process.env.BENCH_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [];
  const began = performance.now();
  execFileSync(process.execPath, [...profile, main, 'download', '--year', '2024'], {
    ...{ cwd: folder, stdio: 'ignore', env: { ...env, XDG_CACHE_HOME: join(folder, 'cache') } },
  });
  return performance.now() - began;
};

/** What a window of the editor does for the same reports. */
const byEditor: Peer = async ({ strictOrigin }, folder) => {
  const shared = { clock: systemClock, logger: silentLogger };
  const budget = machineState({ directory: join(folder, 'machine'), ...shared });
  const options = { baseUrl: `${strictOrigin}/api/v2`, key: new Secret(key), budget, userAgent: 'bench' };
  const client = createClient({ authentication: 'bearer', ...options });
  const cache = new ContentCache({ directory: join(folder, 'pdf'), maxBytes: 2 * 1024 ** 3, ...shared });
  const { lease } = leases(budget, systemClock);
  try {
    const queue = new DownloadQueue({ source: client, stores: [cache], lease, ...shared });
    const downloads = new DownloadFolder({ root: folder, folder: 'reports', queue, ...shared });
    const began = performance.now();
    const reports: Report[] = [];
    for await (const { data } of client.reports({ fcyear: [2024] })) reports.push(...data);
    const results = await downloads.download(reports);
    const wrong = results.find(({ verified }) => !verified);
    if (wrong || results.length !== files) throw new Error(`A download ended as ${wrong?.status}: ${wrong?.reason}`);
    return performance.now() - began;
  } finally {
    client.dispose();
    budget.dispose();
  }
};

/**
 * What a person would write: the list, a link for each report, the file, its hash, eight at a time. It asks for links at
 * our pace, since at any other the comparison is one of two pauses: a script on a line without delays may ask for nine a
 * second where we leave 150 ms for requests that overtake one another.
 */
const script = `
curl -sf -H "authorization: Bearer $KEY" "$BASE/reports?fcyear=2024&limit=200" | grep -o '"report_id":[0-9]*' | cut -d: -f2 |
while read -r id; do echo "$id"; sleep ${(1 / maxLastingRate).toFixed(3)}; done |
xargs -P8 -I{} sh -c '
  url=$(curl -sf --retry 9 -H "authorization: Bearer $KEY" "$BASE/reports/{}/download" | sed "s/.*\\"url\\":\\"\\([^\\"]*\\).*/\\1/") &&
  curl -sf --retry 9 -o {}.pdf "$url" && openssl dgst -sha256 {}.pdf >/dev/null'`;

const byCurl: Peer = async ({ strictOrigin }, folder) => {
  const env = { ...process.env, BASE: `${strictOrigin}/api/v2`, KEY: key };
  const began = performance.now();
  const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, env });
  const took = performance.now() - began;
  const brought = (await readdir(folder)).length;
  if (status !== 0 || brought !== files) throw new Error(`curl brought ${brought} files: ${String(stderr)}`);
  return took;
};

/**
 * The command line, the editor's engine and curl, all from one service that refuses the tenth request of a second: what
 * the interface allows is the most that any of them can have, so none can be faster than the others, and the goal is that
 * the command line is not slower. How much faster than curl the work itself is shows without that limit, which the
 * command line has no way around: `downloads.bench.ts` has the engine without it, with the goal of 1.2x.
 */
export async function run(): Promise<BenchmarkResult> {
  await build('production');
  const peers = { 'report-library download': byCli, 'the editor’s engine': byEditor };
  const hasCurl = ['curl', 'openssl', 'xargs'].every((name) => spawnSync(name, ['--version']).error === undefined);
  const all: [string, Peer][] = [
    ...Object.entries(peers),
    ...(hasCurl ? [['xargs -P8 curl + openssl at the same pace', byCurl] as [string, Peer]] : []),
  ];
  const times = new Map<string, number[]>(all.map(([name]) => [name, []]));
  const server = await serveFiles(megabytes, files);
  try {
    for (let round = 0; round < rounds; round++) {
      // Each begins a round once: what one leaves to the disk slows the next.
      const turn = round % all.length;
      for (const [name, peer] of [...all.slice(turn), ...all.slice(0, turn)]) {
        const folder = await mkdtemp(join(tmpdir(), 'report-library-bench-'));
        try {
          times.get(name)?.push(await peer(server, folder));
        } finally {
          await rm(folder, { recursive: true });
        }
      }
    }
  } finally {
    server.end();
  }
  const rows = [...times].map(([peer, of]) => ({ peer, p50: percentile(of, 0.5), p95: percentile(of, 0.95) }));
  const [ours = Number.NaN, editor = Number.NaN, curl = Number.NaN] = rows.map(({ p50 }) => p50);
  const [ratio, ratioCurl] = [editor / ours, curl / ours];
  return {
    name: `download by the command line: ${files} files of ${megabytes} MB at the permitted rate`,
    goal: '>= 0.95x the editor’s engine, >= 0.95x curl + openssl at the same pace',
    ...{ unit: 'ms', rows, ratio, ratioCurl },
    met: hasCurl ? ratio >= 0.95 && ratioCurl >= 0.95 : null,
  };
}
