import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { Emitter } from '../../../src/base/disposable.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { Channel, nothing } from '../../../src/base/rpc.ts';
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

const none = { calls: {}, events: {} } as const;
const taking = { calls: { take: { params: z.any(), result: nothing } }, events: {} } as const;

function pair() {
  const [hostPort, pagePort] = portPair();
  const { log, lines } = noteLog();
  const ready: null[] = [];
  const shown: string[] = [];
  const { promise: waiting, resolve: waits } = Promise.withResolvers<AbortSignal>();
  const host = new Channel({
    ...{ port: hostPort, mine: protocol.host, theirs: protocol.page, log },
    explain: (error) => `Sorry: ${(error as Error).message}`,
    handlers: {
      calls: {
        double: ({ n }) => n * 2,
        fail: () => Promise.reject(new Error('it broke')),
        wait: (_, signal) => {
          waits(signal);
          return new Promise<null>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        },
        lie: () => 'not a number' as unknown as number,
      },
      events: { ready: (data) => void ready.push(data) },
    },
  });
  const page = new Channel({
    ...{ port: pagePort, mine: protocol.page, theirs: protocol.host, explain: String, log },
    handlers: { calls: {}, events: { show: ({ text }) => void shown.push(text) } },
  });
  return { host, page, pagePort, ready, shown, lines, waiting };
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
          ...{ mine: protocol.page, theirs: protocol.host, explain: String, log },
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

  it('gives a call up when its signal aborts, and tells the other side’s handler', async () => {
    const { page, lines, waiting } = pair();
    const cancel = new AbortController();
    const open = page.call('wait', null, cancel.signal);
    const signal = await waiting;
    cancel.abort(new Error('enough'));
    await assert.rejects(open, /enough/);
    await page.call('double', { n: 0 });
    assert.equal(signal.aborted, true);
    await assert.rejects(page.call('wait', null, cancel.signal), /enough/);
    // The answer to the call that was given up is for nobody, which is nothing to note.
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(lines, []);
  });

  it('makes errors of a kind again', async () => {
    const [near, far] = portPair();
    const { log } = noteLog();
    const caller = new Channel({
      ...{ port: near, mine: none, theirs: taking, handlers: none, explain: String, log },
      revive: ({ message, problem }) => new RangeError(`${problem}: ${message}`),
    });
    const other = new Channel({
      ...{ port: far, mine: taking, theirs: none, log },
      handlers: { calls: { take: () => Promise.reject(new Error('full')) }, events: {} },
      explain: (error) => ({ message: (error as Error).message, problem: 'disk' }),
    });
    const bytes = new Uint8Array(8);
    await assert.rejects(
      caller.call('take', bytes),
      (error) => error instanceof RangeError && error.message === 'disk: full',
    );
    other.dispose();
    const open = caller.call('take', bytes);
    caller.dispose(new Error('gone'));
    await assert.rejects(open, /gone/);
    await assert.rejects(caller.call('take', bytes), /gone/);
  });

  it('rejects a call that could not be posted, and forgets it', async () => {
    const posted: unknown[] = [];
    const post = (message: unknown) => void posted.push(structuredClone(message));
    const channel = new Channel({
      port: { post, onMessage: () => ({ dispose() {} }) },
      ...{ mine: none, theirs: taking, handlers: none, explain: String, log: noteLog().log },
    });
    const cancel = new AbortController();
    await assert.rejects(
      channel.call('take', () => 'no function can be copied', cancel.signal),
      { name: 'DataCloneError' },
    );
    cancel.abort();
    assert.deepEqual(posted, [], 'nothing is left to be cancelled');
  });

  it('hears nothing after its end', async () => {
    const { host, page, ready } = pair();
    host.dispose();
    page.send('ready', null);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(ready, []);
  });
});
