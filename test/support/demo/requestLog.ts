import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../src/base/clock.ts';
import { type KeyRing, sentKey } from '../../../src/demo/keys.ts';
import { apiPrefix } from '../../../src/demo/service.ts';

/** Templates of the thirteen endpoints, a name of its own before an id, and of the address where signed links lead. */
const routeNames = [
  ...(['GET /health', 'GET /entitlements', 'GET /watchlist', 'POST /companies/resolve', 'GET /reports'] as const),
  ...(['GET /reports/changes', 'POST /reports/lookup', 'GET /reports/{report_id}'] as const),
  ...(['GET /reports/{report_id}/download', 'GET /meta/schema', 'GET /meta/field-guide.pdf'] as const),
  ...(['GET /meta/frameworks', 'GET /meta/usage', 'GET /files'] as const),
];
export type RouteName = (typeof routeNames)[number];

/** The template that a request belongs to. */
function routeNameOf(method: string, path: string): RouteName | undefined {
  if (method === 'GET' && path.startsWith('/files/')) return 'GET /files';
  return routeNames.find((name) => {
    const [wanted, template = ''] = name.split(' ');
    const pattern = template.replaceAll('.', '\\.').replace('{report_id}', '[^/]+');
    return wanted === method && new RegExp(`^${apiPrefix}${pattern}$`).test(path);
  });
}

/** One request as the service saw it. No entry holds a key or a link's signature. */
export interface LoggedRequest {
  /** 1 for the first request of this service. */
  readonly sequence: number;
  readonly method: string;
  /** Route template such as `GET /reports/{report_id}`; `unknown` for none of them. */
  readonly route: string;
  /** The path with its ids, without the query. */
  readonly path: string;
  /** Query parameters in order; the values of a link's are left out. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Headers by lower-case name; those that can hold a key hold its label instead. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a key came with it, right or wrong. */
  readonly keySent: boolean;
  /** Label of the key, if one came that the service issued. */
  readonly key: string | null;
  /** Monotonic ms. */
  readonly arrivedAt: number;
  /** Monotonic ms; null while under way. */
  endedAt: number | null;
  /** Null while under way, or when no answer was sent. */
  status: number | null;
  /** Kind of the injected fault, if one was. */
  fault: string | null;
}

/** How many there are of something now, and at most since the log was cleared. */
class Gauge {
  now = 0;
  peak = 0;

  set(now: number): void {
    this.now = now;
    this.peak = Math.max(this.peak, now);
  }

  restart(): void {
    this.peak = this.now;
  }
}

/** What the service saw, for tests to assert on. */
export class RequestLog {
  readonly #clock: Clock;
  #entries: LoggedRequest[] = [];
  #sequence = 0;
  /** Requests under way, and connections that were open when one came. */
  readonly concurrency = new Gauge();
  readonly connections = new Gauge();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Entries of one route template. */
  to(route: string): readonly LoggedRequest[] {
    return this.#entries.filter((entry) => entry.route === route);
  }

  /** Requests that broke a rule of the interface: links are opened without the key (DL-2). */
  get violations(): readonly LoggedRequest[] {
    return this.#entries.filter(({ route, keySent }) => keySent && route === 'GET /files');
  }

  /** The most requests that arrived within any `windowMs` (1,000 for a second, 60,000 for a minute). */
  maxWithin(windowMs: number, include: (entry: LoggedRequest) => boolean = () => true): number {
    const times = this.#entries.filter(include).map((entry) => entry.arrivedAt);
    let most = 0;
    let first = 0;
    for (const [last, time] of times.entries()) {
      while (time - (times[first] as number) >= windowMs) first++;
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  /** Errors of the service's own making; a test that ends with any has found a bug. */
  readonly failures: Error[] = [];

  failed(error: Error): void {
    this.failures.push(error);
  }

  /** Forgets the entries and starts the peaks again from what is under way. */
  clear(): void {
    this.#entries = [];
    this.concurrency.restart();
    this.connections.restart();
  }

  /** Notes a request that has just come. `connections`: how many are open. */
  begin(incoming: IncomingMessage, keys: KeyRing, connections: number): LoggedRequest {
    this.#sequence += 1;
    const entry: LoggedRequest = {
      ...seen(incoming, keys),
      sequence: this.#sequence,
      arrivedAt: this.#clock.monotonic(),
      endedAt: null,
      status: null,
      fault: null,
    };
    this.#entries.push(entry);
    this.concurrency.set(this.concurrency.now + 1);
    this.connections.set(connections);
    return entry;
  }

  end(entry: LoggedRequest): void {
    if (entry.endedAt !== null) return;
    entry.endedAt = this.#clock.monotonic();
    this.concurrency.set(this.concurrency.now - 1);
  }
}

const keyHeaders = new Set(['authorization', 'x-api-key']);

/** What of a request may be told: everything but keys and a link's signature. */
function seen(incoming: IncomingMessage, keys: KeyRing) {
  const method = incoming.method ?? '';
  const [path = '', search = ''] = (incoming.url ?? '').split(/\?(.*)/s);
  const isLink = path.startsWith('/files/');
  const text = sentKey(incoming.headers);
  const key = text === undefined ? null : (keys.find(text)?.label ?? null);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [
    name,
    keyHeaders.has(name) ? `[key: ${key ?? 'unknown'}]` : String(value),
  ]);
  return {
    method,
    route: routeNameOf(method, path) ?? 'unknown',
    path,
    query: [...new URLSearchParams(search)].map(([name, value]) => [name, isLink ? '[hidden]' : value] as const),
    headers: Object.fromEntries(headers) as Record<string, string>,
    keySent: [...keyHeaders].some((name) => incoming.headers[name] !== undefined),
    key,
  };
}
