import assert from 'node:assert/strict';
import type { Priority } from '../../../../src/api/schemas/page.ts';
import { type Permit, RequestBudget } from '../../../../src/api/transport/budget.ts';
import type { RequestKind } from '../../../../src/api/transport/budgetRow.ts';
import { ApiError } from '../../../../src/api/transport/errors.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeConnections } from '../../../support/fakeConnections.ts';

export const origin = 'https://reports.example.org';
export const files = 'https://files.example';

interface Wanted {
  readonly priority?: Priority;
  readonly kind?: RequestKind;
  readonly to?: string;
  readonly signal?: AbortSignal;
}

/** A budget over made-up connections, and when its requests were sent. */
export function setup(state: SharedState = memoryState(), clock = new FakeClock(), requestsPerSecond = 4) {
  const sent: { name: string; at: number }[] = [];
  const connections = new FakeConnections();
  const budget = new RequestBudget({
    ...{ origin, key: new Secret('abc_live_0123456789'), requestsPerSecond, state, clock },
    ...{ logger: silentLogger, prepare: async () => {}, connect: connections.make },
  });
  const start = clock.now();
  /** Sends a request, and keeps its connection. */
  const enter = async (name: string, wanted: Wanted = {}): Promise<Permit> => {
    const { priority = 'background', to = origin, kind = to === origin ? 'keyed' : 'file' } = wanted;
    const { signal = new AbortController().signal } = wanted;
    const permit = await budget.acquire({ origin: to, priority, kind }, signal);
    try {
      await permit.send({ method: 'GET', path: '/', signal });
    } catch (error) {
      permit.release();
      throw error;
    }
    sent.push({ name, at: clock.now() - start });
    return permit;
  };
  /** Sends a request, and returns its connection. */
  const pass = async (name: string, wanted?: Wanted) => (await enter(name, wanted)).release();
  return { clock, budget, sent, connections, enter, pass };
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

/** The most of the times that lie within so many ms. */
export function maxWithin(times: readonly number[], ms: number): number {
  return Math.max(0, ...times.map((at) => times.filter((other) => other >= at && other < at + ms).length));
}
