import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../src/base/clock.ts';
import { seededRandom } from '../../../src/demo/random.ts';
import type { FaultAction } from './faults.ts';

/** Writes an answer as the fault spoils it. Resolves once it is written or the connection is gone. */
export async function deliver(
  answer: Response,
  outgoing: ServerResponse,
  fault: FaultAction,
  clock: Clock,
  ending: AbortSignal,
): Promise<void> {
  const { status } = answer;
  const headers = Object.fromEntries(answer.headers);
  const body = spoil(new Uint8Array(await answer.arrayBuffer()), fault);
  delete headers['content-length'];
  if (fault.kind === 'garbage' && fault.encoding) headers['content-encoding'] = fault.encoding;
  if (fault.kind === 'stall' && fault.atByte === undefined) await stall(fault.ms, outgoing, clock, ending);
  if (outgoing.destroyed) return;

  if (fault.kind === 'truncate' && fault.end === 'unannounced') {
    // Without a length or chunks the end of the connection is the end of the body: nothing gives the cut away.
    outgoing.removeHeader('transfer-encoding');
    outgoing.useChunkedEncodingByDefault = false;
    outgoing.writeHead(status, { ...headers, connection: 'close' });
    return finish(outgoing, body.subarray(0, fault.atByte));
  }
  outgoing.writeHead(status, { ...headers, ...(status !== 304 && { 'content-length': String(body.byteLength) }) });
  switch (fault.kind) {
    case 'truncate':
      outgoing.flushHeaders();
      await write(outgoing, body.subarray(0, fault.atByte));
      if (fault.end === 'reset') outgoing.socket?.resetAndDestroy();
      else outgoing.socket?.end();
      return;
    case 'stall':
      await write(outgoing, body.subarray(0, fault.atByte ?? 0));
      if (fault.atByte !== undefined) await stall(fault.ms, outgoing, clock, ending);
      return finish(outgoing, body.subarray(fault.atByte ?? 0));
    case 'drip':
      for (let at = 0; at < body.byteLength && !outgoing.destroyed; at += fault.bytes) {
        await write(outgoing, body.subarray(at, at + fault.bytes));
        await stall(fault.everyMs, outgoing, clock, ending);
      }
      return finish(outgoing, new Uint8Array());
    default:
      return finish(outgoing, body);
  }
}

function spoil(body: Uint8Array, fault: FaultAction): Uint8Array {
  switch (fault.kind) {
    case 'garbage':
      return noise(fault.bytes ?? Math.max(body.byteLength, 64));
    case 'altered-bytes': {
      const altered = new Uint8Array(body);
      const at = Math.min(fault.atByte ?? body.byteLength >> 1, body.byteLength - 1);
      if (at >= 0) altered[at] = (altered[at] as number) ^ 0xff;
      return altered;
    }
    case 'extra-bytes':
      return Buffer.concat([body, noise(fault.bytes)]);
    default:
      return body;
  }
}

function noise(length: number): Uint8Array {
  const random = seededRandom(length);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

/** Waits `ms`, or for ever; ends early when the connection or the service does. */
async function stall(ms: number | undefined, outgoing: ServerResponse, clock: Clock, ending: AbortSignal) {
  if (outgoing.destroyed) return;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  outgoing.once('close', onClose);
  const signal = AbortSignal.any([ending, gone.signal]);
  try {
    await clock.sleep(ms ?? Number.MAX_SAFE_INTEGER, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    outgoing.off('close', onClose);
  }
}

function write(outgoing: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength === 0 || outgoing.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('close', done);
      resolve();
    };
    outgoing.once('close', done);
    outgoing.write(bytes, done);
  });
}

function finish(outgoing: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    outgoing.once('close', resolve);
    outgoing.end(bytes, () => resolve());
  });
}
