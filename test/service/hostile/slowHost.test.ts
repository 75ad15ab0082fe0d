import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import type { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { Secret } from '../../../src/base/secret.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { serveTcp } from '../../support/localServer.ts';
import { cleanUpAfterEach, clientFor, failure } from '../client/clients.ts';

const minute = 60_000;
const large = 5_000_000;

describe('a host of files that holds a download', () => {
  cleanUpAfterEach();

  /** A link to a host whose socket a test writes to, once it was asked. */
  async function setup() {
    const clock = new FakeClock();
    const asked = Promise.withResolvers<Socket>();
    const server = await serveTcp((socket) => socket.once('data', () => asked.resolve(socket)));
    const url = new Secret(`${server.origin}/file.pdf?signature=canary`);
    const link = { report_id: 1, url };
    const call = clientFor('http://127.0.0.1:9/api/v2', { clock }).openLink(link);
    call.catch(() => {}); // Looked at later.
    return { clock, call, host: await asked.promise };
  }
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${large}\r\n\r\n`;
  const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';

  it('with hints that never end is given up after a minute', async () => {
    const { clock, call, host } = await setup();
    let hasEnded = false;
    call.catch(() => {}).finally(() => (hasEnded = true));
    for (let second = 0; second < 58; second += 2) {
      host.write(hint);
      await clock.advance(2000);
    }
    assert.equal(hasEnded, false);
    await clock.advance(2000);
    const { problem, message } = await failure(call);
    assert.equal(problem.kind, 'network');
    assert.match(message, /took too long/);
    assert.doesNotMatch(message, /canary/);
  });

  it('with a byte now and then is given up after a minute', async () => {
    const { clock, call, host } = await setup();
    host.write(head);
    const { body } = await call;
    const read = failure(buffer(body));
    for (let second = 0; second < 60; second += 5) {
      host.write('x');
      await clock.advance(5000);
    }
    assert.match((await read).message, /took too long/);
    assert.equal(body.destroyed, true);
  });

  it('is waited for while enough comes, however long that takes', async () => {
    const { clock, call, host } = await setup();
    host.write(head);
    const { body } = await call;
    let came = 0;
    body.on('data', (chunk: Uint8Array) => {
      came += chunk.byteLength;
    });
    const part = Buffer.alloc(large / 50);
    for (let sent = part.length; sent <= large; sent += part.length) {
      host.write(part);
      while (came < sent) await setImmediate();
      if (sent < large) await clock.advance(minute - 1);
    }
    assert.equal(came, large);
  });

  it('is not blamed for a reader that takes its time', async () => {
    const { clock, call, host } = await setup();
    host.write(head);
    host.write(Buffer.alloc(large));
    const body = (await call).body as PassThrough;
    while (!body.writableNeedDrain) await setImmediate();
    await clock.advance(10 * minute);
    assert.equal((await buffer(body)).length, large);
  });
});
