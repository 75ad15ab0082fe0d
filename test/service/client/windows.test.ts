import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { machineState } from '../../../src/machine/machineState.ts';
import { closeServers, json, type LocalServer, serve } from '../../support/localServer.ts';
import { temporaryFolder } from '../../unit/downloads/fixtures.ts';

let directory = '';
const children: ChildProcess[] = [];

async function start(script: string, ...parameters: string[]): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), parameters, { execArgv: ['--no-warnings'] });
  children.push(child);
  await once(child, 'message');
  return child;
}

interface Arrival {
  readonly at: number;
  readonly window: number;
  readonly path: string;
}

/** A service that tells of each request. */
async function counting(headers: Record<string, string> = {}, delay = 0) {
  const arrivals: Arrival[] = [];
  const watchers: { readonly enough: () => boolean; readonly resolve: () => void }[] = [];
  const server: LocalServer = await serve((request, response) => {
    const window = Number(/\d+$/.exec(request.headers['user-agent'] ?? '')?.[0]);
    arrivals.push({ at: performance.now(), window, path: request.url ?? '' });
    setTimeout(() => json(response, { requests: 1, downloads: 0 }, 200, headers), delay);
    for (const { enough, resolve } of watchers) if (enough()) resolve();
  });
  const until = (enough: () => boolean) =>
    new Promise<void>((resolve) => (enough() ? resolve() : watchers.push({ enough, resolve })));
  return {
    server,
    arrivals,
    until,
    of: (child: ChildProcess) => arrivals.filter(({ window }) => window === child.pid),
  };
}

function maxWithin(times: readonly number[], ms: number): number {
  return Math.max(0, ...times.map((at) => times.filter((other) => other >= at && other < at + ms).length));
}

/** When the windows sent their requests, by what they share; those that were let go but not sent yet count as now. */
async function sentTimes({ origin }: LocalServer): Promise<readonly number[]> {
  const state = machineState({ directory, clock: systemClock, logger: silentLogger });
  const row = await state.update(`${origin} budget`, (stored) => ({
    result: stored as { keys: Record<string, { minute: number[] }>; unsent: object } | undefined,
  }));
  state.dispose();
  const unsent = Object.keys(row?.unsent ?? {}).map(() => Date.now());
  return [...Object.values(row?.keys ?? {}).flatMap(({ minute }) => minute), ...unsent];
}

describe('windows of one machine', () => {
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
    }
    await closeServers();
  });
  // Removed only once the windows that write to it have ended.
  const folder = temporaryFolder();
  beforeEach(() => {
    directory = folder.path;
  });

  it('stay below 10 requests a second and 8 connections together, though one is killed and one is frozen', async function () {
    if (process.platform === 'win32') return this.skip(); // No process can be frozen there.
    this.timeout(90_000);
    const { server, arrivals, until, of } = await counting({}, 150);
    const [steady, killed, frozen] = await Promise.all(
      [1, 2, 3].map(() => start('./window.ts', server.baseUrl, directory)),
    );
    assert.ok(steady && killed && frozen);
    await until(() => [steady, killed, frozen].every((child) => of(child).length >= 2));

    killed.kill('SIGKILL');
    frozen.kill('SIGSTOP');
    const before = of(steady).length;
    await until(() => of(steady).length >= before + 20);
    const quiet = of(frozen).length;
    frozen.kill('SIGCONT');
    await until(() => of(frozen).length >= quiet + 3);

    const sent = arrivals.length;
    const noted = await sentTimes(server);
    assert.ok(maxWithin(noted, 1000) <= 8, `${maxWithin(noted, 1000)} requests within a second`);
    assert.ok(maxWithin(noted, 1150) <= 9, `${maxWithin(noted, 1150)} requests within 1,150 ms`);
    assert.ok(sent <= noted.length, 'no request went out uncounted');
    // A busy machine delivers some late, so that within a single second they may crowd.
    const times = arrivals.map(({ at }) => at);
    assert.ok(maxWithin(times, 5000) < 50, `${maxWithin(times, 5000)} requests within five seconds`);
    assert.ok(server.sockets.max <= 8, `${server.sockets.max} connections`);
    const seconds = ((arrivals.at(-1)?.at ?? 0) - (arrivals[0]?.at ?? 0)) / 1000;
    assert.ok(arrivals.length / seconds > 2, `only ${arrivals.length} requests in ${seconds} s`);
  });

  it('never let ten requests arrive in a second, though delays differ by 150 ms and the machine is busy', async function () {
    this.timeout(90_000);
    const { server, arrivals, until } = await counting({}, 40);
    const sent: number[][] = [];
    for (const _ of [1, 2, 3]) {
      const times: number[] = [];
      sent.push(times);
      const child = await start('./window.ts', server.baseUrl, directory, 'busy');
      child.on('message', (at: number) => void times.push(at));
    }
    await until(() => arrivals.length >= 80);
    const times = sent.flat();
    assert.ok(times.length >= 70, `${times.length} told of`);
    const ordered = times.toSorted((a, b) => a - b);
    const tight = Math.min(...ordered.slice(9).map((at, index) => at - (ordered[index] ?? 0)));
    assert.ok(tight >= 1150, `ten were sent within ${tight} ms`);
    for (let round = 0; round < 200; round++) {
      const late = times.map((at) => at + Math.random() * 150);
      assert.ok(maxWithin(late, 1000) <= 9, `${maxWithin(late, 1000)} arrivals within a second`);
    }
    // What really arrived, unless this machine was so busy that a request took longer.
    const arrived = arrivals.map(({ at }) => at + performance.timeOrigin).sort((a, b) => a - b);
    const slowest = Math.max(...ordered.map((at, index) => (arrived[index] ?? at) - at));
    if (slowest < 150) assert.ok(maxWithin(arrived, 1000) <= 9, `${maxWithin(arrived, 1000)} arrived in a second`);
    const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
    assert.ok(times.length / seconds > 1, `only ${times.length} requests in ${seconds} s`);
  });

  it('stay within the requests of a minute together', async function () {
    this.timeout(240_000);
    const { server, arrivals, until } = await counting({ 'x-ratelimit-limit': '12' });
    const usage = () => arrivals.filter(({ path }) => path === '/api/v2/meta/usage');
    await Promise.all([1, 2, 3].map(() => start('./window.ts', server.baseUrl, directory, 'health')));
    const others = () => arrivals.length - usage().length;
    await until(() => usage().length >= 12);
    // By then each second of the rate has had room for more.
    const now = others();
    await until(() => others() >= now + 10);
    assert.equal(usage().length, 12);
  });

  it('all stay away while the service asked one of them to', async function () {
    this.timeout(90_000);
    const arrivals: number[] = [];
    let since = Number.POSITIVE_INFINITY;
    const over = Promise.withResolvers<void>();
    const server = await serve((_, response) => {
      const now = performance.now();
      arrivals.push(now);
      if (arrivals.length === 5) {
        json(response, {}, 429, { 'retry-after': '2' });
        since = now;
      } else json(response, {});
      if (now > since + 1900) over.resolve();
    });
    await Promise.all([1, 2, 3].map(() => start('./window.ts', server.baseUrl, directory)));
    await over.promise;
    // What was on its way when the answer came can't be called back.
    const early = arrivals.filter((at) => at > since + 800 && at < since + 1900);
    assert.deepEqual(early, []);
  });

  it('go on when one froze while it held the lock, and it goes on with them afterward', async function () {
    if (process.platform === 'win32') return this.skip();
    this.timeout(90_000);
    const state = machineState({ directory, clock: systemClock, logger: silentLogger });
    const increment = () =>
      state.update('count', (stored) => {
        const next = (typeof stored === 'number' ? stored : 0) + 1;
        return { store: next, result: next };
      });
    assert.equal(await increment(), 1);
    const holder = await start('./lockHolder.ts', directory);
    holder.kill('SIGSTOP');
    const started = performance.now();
    assert.equal(await increment(), 2);
    assert.ok(performance.now() - started < 10_000);
    holder.kill('SIGCONT');
    holder.send('commit');
    await once(holder, 'exit');
    assert.equal(await increment(), 3);
    state.dispose();
  });
});
