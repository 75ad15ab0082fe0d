import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../../scripts/demo.ts', import.meta.url));

describe('npm run demo', () => {
  const running: ChildProcess[] = [];
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });

  function run(...flags: string[]) {
    const child = spawn(process.execPath, [script, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    running.push(child);
    return child;
  }

  /** Waits until the base URL and the key are printed. */
  async function greeting(child: ReturnType<typeof run>): Promise<{ readonly url: string; readonly key: string }> {
    let said = '';
    for await (const chunk of child.stdout) {
      said += chunk;
      const [, url] = /Base URL +(\S+)/.exec(said) ?? [];
      const [, key] = /API key +(\S+)/.exec(said) ?? [];
      if (url && key && /curl -H "Authorization: Bearer \S+" "\S+"/.test(said)) return { url, key };
    }
    throw new Error(`It ended and said: ${said}`);
  }

  it('serves other clients until Ctrl-C', async () => {
    const child = run('--companies', '2', '--rpm', '77', '--settling-seconds', '0', '--live', '--variant', 'terse');
    const { url, key } = await greeting(child);
    const response = await fetch(`${url}/entitlements`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(response.headers.get('x-ratelimit-limit'), '77');
    assert.equal(((await response.json()) as { watchlist_size: number }).watchlist_size, 2);
    const health = await fetch(`${url}/health`);
    assert.equal(await health.json(), 'ok');
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  }).timeout(20_000);

  it('refuses what it does not understand, and helps', async () => {
    const cases: readonly (readonly [flags: string[], code: number, said: RegExp])[] = [
      [['--port', '70000'], 1, /^--port takes a whole number from 0 to 65535, not "70000"\.\n$/],
      [['--rpm', 'many'], 1, /^--rpm takes a whole number/],
      [['--variant', 'odd'], 1, /^--variant takes one of plain, terse, foreign, not "odd"\.\n$/],
      [['--color'], 1, /--help/],
      [['--help'], 0, /--settling-seconds N/],
    ];
    await Promise.all(
      cases.map(async ([flags, code, said]) => {
        const child = run(...flags);
        const [out, err, [ended]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
        assert.match(out + err, said);
        assert.equal(ended, code);
      }),
    );
  }).timeout(20_000);
});
