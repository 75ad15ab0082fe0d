import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cost, downloadByUs } from './downloadsByUs.ts';
import { type FileServer, serveFiles } from './downloadsServing.ts';
import { percentile } from './libraryBenchmark.ts';

const files = Number(process.env.BENCH_FILES ?? 200);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const megabytes = 5;
const atOnce = 8;

type Peer = (server: FileServer, folder: string) => Promise<Cost>;

const ours = 'report library';
const byOpenssl = 'xargs -P8 curl + openssl dgst -sha256';
const bySha256sum = 'xargs -P8 curl + sha256sum';
const byAria2 = 'aria2c with checksums';

/**
 * 200 files of 5 MB over loopback, 8 at a time: the extension's whole path (link, stream, hash, fsync, rename, lock)
 * beside curl and a hash program, which ask for each link too, and do without fsync, rename and lock. Peers take turns within each round.
 */
export async function run() {
  const byUs: Peer = ({ origin, hashes }, folder) =>
    downloadByUs({ origin, hashes, root: folder, files, atOnce, megabytes });
  const peers = new Map<string, Peer>([[ours, byUs]]);
  if (has('curl') && has('xargs')) {
    if (has('openssl')) peers.set(byOpenssl, byShell('openssl dgst -sha256'));
    if (has('sha256sum')) peers.set(bySha256sum, byShell('sha256sum'));
  }
  if (has('aria2c')) peers.set(byAria2, byAria);
  const server = await serveFiles(megabytes);
  const costs = new Map<string, Cost[]>([...peers.keys()].map((name) => [name, []]));
  const memory = new Map([files, 3 * files].map((count): [number, number[]] => [count, []]));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [name, peer] of peers) {
        const folder = await mkdtemp(join(tmpdir(), 'report-library-bench-'));
        costs.get(name)?.push(await peer(server, folder));
        await rm(folder, { recursive: true });
      }
    }
    for (let round = 0; round < rounds; round++) {
      for (const [count, taken] of memory) taken.push(await memoryOf(server, count));
    }
  } finally {
    server.end();
  }
  const p50 = (name: string, of: keyof Cost = 'seconds') => quantile(costs.get(name) ?? [], of, 0.5);
  const ratio = p50(byOpenssl) / p50(ours);
  const ratioSha256sum = p50(bySha256sum) / p50(ours);
  const ratioAria2 = p50(byAria2) / p50(ours);
  const [few = Number.NaN, many = Number.NaN] = [...memory.values()].map((taken) => percentile(taken, 0.5));
  const memoryGrowth = many / few - 1;
  const cpuRatio = p50(ours, 'cpu') / p50(byOpenssl, 'cpu');
  return {
    name: `downloads: ${files} files of ${megabytes} MB, ${atOnce} at a time`,
    goal: '>= 1.2x curl + openssl, >= 3x aria2c, CPU <= 0.75x curl + openssl, memory <= 200 MB, + <= 20 %',
    unit: 's',
    rows: [...costs].map(([peer, list]) => ({
      peer,
      p50: quantile(list, 'seconds', 0.5),
      p95: quantile(list, 'seconds', 0.95),
      cpu: quantile(list, 'cpu', 0.5),
    })),
    ratio,
    ratioSha256sum,
    ratioAria2,
    cpuRatio,
    memory: { [`${files} files`]: few, [`${3 * files} files`]: many, growth: memoryGrowth },
    met: costs.has(byOpenssl)
      ? ratio >= 1.2 &&
        (!costs.has(byAria2) || ratioAria2 >= 3) &&
        cpuRatio <= 0.75 &&
        many <= 200 &&
        memoryGrowth <= 0.2
      : null,
  };
}

/** The same download of so many files in a process of its own: the most memory it took, in MB. */
async function memoryOf({ origin, hashes }: FileServer, count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'report-library-bench-'));
  const script = fileURLToPath(new URL('downloadsMemory.ts', import.meta.url));
  const args = ['--no-warnings', script, origin, folder, `${count}`, `${atOnce}`, `${megabytes}`, hashes.join()];
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  await rm(folder, { recursive: true });
  if (status !== 0) throw new Error(`The download for its memory failed: ${stderr}`);
  return Number(stdout);
}

function byAria({ origin, hashes }: FileServer, folder: string): Promise<Cost> {
  const list = Array.from({ length: files }, (_, index) => {
    const id = index + 1;
    return `${origin}/file/${id}\n out=${id}.pdf\n checksum=sha-256=${hashes[id % hashes.length]}`;
  }).join('\n');
  return Promise.resolve(timed(`aria2c -q -j${atOnce} -x1 --no-conf -i -`, folder, list));
}

function byShell(hash: string): Peer {
  return async ({ origin }, folder) => {
    const ids = Array.from({ length: files }, (_, index) => index + 1).join('\n');
    // As for us, each link is asked for on its own.
    const link = `curl -sf ${origin}/link/{} | cut -d\\" -f10`;
    const each = `curl -sf -o {}.pdf "$(${link})" && ${hash} {}.pdf >/dev/null`;
    return timed(`xargs -P${atOnce} -I{} sh -c '${each}'`, folder, ids);
  };
}

/** Runs a command line in a folder; what it and its children took. */
function timed(command: string, cwd: string, input: string): Cost {
  const script = `TIMEFORMAT='%R %U %S'; time ${command}`;
  const { stderr, status } = spawnSync('bash', ['-c', script], { cwd, input, encoding: 'utf8' });
  const [seconds = 0, user = 0, system = 0] = stderr.trim().split(/\s+/).map(Number);
  if (status !== 0 || !(seconds > 0)) throw new Error(`A peer failed: ${stderr}`);
  return { seconds, cpu: user + system };
}

function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program} && command -v bash`], { stdio: 'ignore' }).status === 0;
}

function quantile(costs: readonly Cost[], of: keyof Cost, share: number): number {
  const sorted = costs.map((cost) => cost[of]).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
