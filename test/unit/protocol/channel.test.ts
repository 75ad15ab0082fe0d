import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { Emitter } from '../../../src/base/event.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { Channel, nothing } from '../../../src/protocol/channel.ts';
import { portPair } from '../../support/panels/portPair.ts';

const protocol = {
  host: {
    calls: {
      double: { params: z.strictObject({ n: z.number() }), result: z.number() },
      fail: { params: nothing, result: nothing },
      wait: { params: nothing, result: nothing },
      lie: { params: nothing, result: z.number() },
    },
    events: { ready: nothing },
  },
  page: { calls: {}, events: { show: z.strictObject({ text: z.string() }) } },
} as const;

function noteLog(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  return { lines, log: { debug: note, info: note, warn: note, error: note } };
}

function pair() {
  const [hostPort, pagePort] = portPair();
  const { log, lines } = noteLog();
  const ready: null[] = [];
  const shown: string[] = [];
  const host = new Channel({
    port: hostPort,
    mine: protocol.host,
    theirs: protocol.page,
    explain: (error) => `Sorry: ${(error as Error).message}`,
    log,
    handlers: {
      calls: {
        double: ({ n }) => n * 2,
        fail: () => Promise.reject(new Error('it broke')),
        wait: () => new Promise<null>(() => {}),
        lie: () => 'not a number' as unknown as number,
      },
      events: { ready: (data) => void ready.push(data) },
    },
  });
  const page = new Channel({
    port: pagePort,
    mine: protocol.page,
    theirs: protocol.host,
    explain: String,
    log,
    handlers: { calls: {}, events: { show: ({ text }) => void shown.push(text) } },
  });
  return { host, page, pagePort, ready, shown, lines };
}

describe('Channel', () => {
  it('answers calls by id, also when several are under way', async () => {
    const { page } = pair();
    assert.deepEqual(await Promise.all([1, 2, 3].map((n) => page.call('double', { n }))), [2, 4, 6]);
  });

  it('rejects on the caller’s side with the other side’s words when a handler fails', async () => {
    const { page } = pair();
    await assert.rejects(page.call('fail', null), { message: 'Sorry: it broke' });
  });

  it('rejects a result that breaks the agreement instead of passing it on', async () => {
    const { page } = pair();
    await assert.rejects(page.call('lie', null), /^Error: Sorry/);
  });

  it('rejects open calls and later ones when it ends', async () => {
    const { page } = pair();
    const open = page.call('wait', null);
    page.dispose();
    await assert.rejects(open, /closed/);
    await assert.rejects(page.call('double', { n: 1 }), /closed/);
  });

  it('delivers events to the other side only', async () => {
    const { host, page, ready, shown } = pair();
    page.send('ready', null);
    host.send('show', { text: 'a' });
    await page.call('double', { n: 0 });
    assert.deepEqual(ready, [null]);
    assert.deepEqual(shown, ['a']);
  });

  it('answers a call that it does not understand with a failure, and runs nothing', async () => {
    const { pagePort, lines } = pair();
    const replies: unknown[] = [];
    pagePort.onMessage((message) => replies.push(message));
    for (const name of ['constructor', '__proto__', 'toString', 'unknown'])
      pagePort.post({ kind: 'call', id: 7, name, params: null });
    pagePort.post({ kind: 'call', id: 7, name: 'double', params: { n: 1, more: 2 } });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(replies.length, 5);
    assert.ok(replies.every((reply) => (reply as { kind: string }).kind === 'failure'));
    assert.equal(lines.filter((line) => line.includes('a call')).length, 5);
  });

  it('ignores and notes anything else, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), (message) => {
        const incoming = new Emitter<unknown>();
        const posted: unknown[] = [];
        const { log, lines } = noteLog();
        let ran = 0;
        const channel = new Channel({
          port: { post: (reply) => posted.push(reply), onMessage: incoming.event },
          mine: protocol.page,
          theirs: protocol.host,
          explain: String,
          log,
          handlers: { calls: {}, events: { show: () => void ran++ } },
        });
        incoming.fire(message);
        channel.dispose();
        assert.equal(ran, 0);
        assert.equal(posted.length, 0);
        assert.equal(lines.length, 1);
      }),
      { numRuns: 2000 },
    );
  });

  it('hears nothing after its end', async () => {
    const { host, page, ready } = pair();
    host.dispose();
    page.send('ready', null);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(ready, []);
  });
});
