import assert from 'node:assert/strict';
import type { Priority } from '../../../../src/api/schemas/page.ts';
import { ApiError } from '../../../../src/api/transport/errors.ts';
import { type Exchange, RequestScheduler } from '../../../../src/api/transport/scheduler.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeWires, get } from '../../../support/fakeWires.ts';

export const origin = 'https://reports.example.org';
export const files = 'https://files.example';
interface Wish {
  readonly priority?: Priority;
  readonly keyed?: boolean;
  readonly to?: string;
  readonly signal?: AbortSignal;
}

/** A scheduler over made-up connections, and when its requests went out. A machine that is busy makes none of them late. */
export function setup(
  state: SharedState = memoryState(),
  clock = new FakeClock(),
  requestsPerSecond = 4,
  stopwatch = () => clock.monotonic(),
) {
  const sent: { name: string; at: number }[] = [];
  const log: string[] = [];
  const wires = new FakeWires();
  const scheduler = new RequestScheduler({
    origin,
    key: new Secret('abc_live_0123456789'),
    requestsPerSecond,
    state,
    clock,
    stopwatch,
    logger: { ...silentLogger, info: (line) => void log.push(line) },
    connect: wires.make,
  });
  const start = clock.now();
  const enter = async (name: string, wish: Wish = {}): Promise<Exchange> => {
    const { priority = 'background', keyed = true, to = origin, signal = new AbortController().signal } = wish;
    const turn = await scheduler.send({ origin: to, priority, keyed, signal }, get);
    sent.push({ name, at: clock.now() - start });
    return turn;
  };
  /** Enters, and gives the connection back at once. */
  const pass = async (name: string, wish?: Wish) => (await enter(name, wish)).giveBack();
  return { clock, scheduler, sent, log, wires, enter, pass };
}

export const names = (sent: readonly { name: string }[]) => sent.map(({ name }) => name);

export async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => assert.fail('It went out.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
}
