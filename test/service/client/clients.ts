import { inspect } from 'node:util';
import { type Client, type ClientOptions, createClient } from '../../../src/api/client.ts';
import { ApiError, type ProblemKind } from '../../../src/api/transport/errors.ts';
import { Secret } from '../../../src/base/secret.ts';
import { closeServers } from '../../support/localServer.ts';

export const testKey = 'abc_live_canary0123456789xyz';

const made: Client[] = [];

/** A client with plain options; what a test cares about is given. */
export function clientFor(baseUrl: string, more: Partial<ClientOptions> = {}): Client {
  const client = createClient({
    baseUrl,
    key: new Secret(testKey),
    authentication: 'bearer',
    userAgent: 'report-library-vscode/0.1.0',
    requestsPerSecond: 9,
    ...more,
  });
  made.push(client);
  return client;
}

/** Ends all clients that were made. */
export function disposeClients(): void {
  for (const client of made.splice(0)) client.dispose();
}

/** Within a suite: ends clients and servers after each of its tests. */
export function cleanUpAfterEach(): void {
  afterEach(disposeClients);
  afterEach(closeServers);
}

/** The error of a call that has to fail. */
export async function failure(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The call should have failed.');
}

/** The kind of the error of a call that has to fail. */
export async function failureKind(call: Promise<unknown>): Promise<ProblemKind> {
  return (await failure(call)).problem.kind;
}

/** Everything a log, a report of an error or a view could print of a value. */
export function looks(value: unknown, depth = 6): string[] {
  const texts = [
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    inspect(value, { depth: 20, showHidden: true, customInspect: false }),
    `${JSON.stringify(value)}`,
    String(value),
  ];
  if (!(value instanceof Error) || depth === 0) return texts;
  const parts = [value.message, String(value.stack), JSON.stringify(Object.getOwnPropertyDescriptors(value))];
  const inner = value instanceof AggregateError ? value.errors : [];
  return [...texts, ...parts, ...[value.cause, ...inner].flatMap((part) => looks(part, depth - 1))];
}
