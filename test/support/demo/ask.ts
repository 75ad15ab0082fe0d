import type { Secret } from '../../../src/base/secret.ts';
import { startTestDemo, type TestDemo, type TestDemoOptions } from './testDemo.ts';
import { outsideCompany, plainCatalog } from './tinyCatalog.ts';

/** An answer of the service with its body read. `json` is undefined for a body that is no JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly json: Body;
}

/** Parsed JSON as the interface documents it; what an answer lacks shows as undefined in the assertion. */
export interface Body {
  readonly [name: string]: unknown;
  readonly data: readonly Item[];
  readonly page_info: { readonly count: number; readonly has_more: boolean; readonly next_cursor?: string | null };
  readonly results: readonly Item[];
  readonly errors: readonly { readonly field: string; readonly message: string }[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** A report, company, change or result, with the members that most tests look at. */
export interface Item {
  readonly [name: string]: unknown;
  readonly report_id: number;
  readonly company_key: string;
}

export interface AskOptions {
  /** The full key by default, null for none. */
  readonly key?: Secret | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent by POST, as JSON. */
  readonly body?: unknown;
}

/** Asks a service for a path below its base URL, or for a whole URL, with the full key unless told otherwise. */
export async function ask(service: TestDemo, path: string, options: AskOptions = {}): Promise<Answer> {
  const key = options.key === undefined ? service.key : options.key;
  const posted = Object.hasOwn(options, 'body');
  const response = await fetch(path.startsWith('http') ? path : service.baseUrl + path, {
    method: posted ? 'POST' : 'GET',
    redirect: 'manual',
    headers: {
      ...(key && { authorization: `Bearer ${key.reveal()}` }),
      ...(posted && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(posted && { body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const json = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
  return { status: response.status, headers: response.headers, bytes, json };
}

/** Every page of a list, walked by its cursors. */
export async function walk(service: TestDemo, path: string, options: AskOptions = {}): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let cursor: string | undefined; ; ) {
    const join = path.includes('?') ? '&' : '?';
    const page = await ask(service, cursor === undefined ? path : `${path}${join}cursor=${cursor}`, options);
    pages.push(page);
    if (page.json?.page_info?.has_more !== true) return pages;
    cursor = String(page.json.page_info.next_cursor);
  }
}

/** The ids on the given pages, in order. */
export function ids(...pages: readonly Answer[]): number[] {
  return pages.flatMap((page) => page.json.data.map((item) => item.report_id));
}

/** Options for tests that ask as fast as they can. */
export const noEdge = { edgeRequestsPerSecond: Infinity, edgeConnections: Infinity } as const;

/** Starts services for tests and ends them; each test gets its own. */
export function services(): { start(options?: TestDemoOptions): Promise<TestDemo>; end(): Promise<void> } {
  const running: TestDemo[] = [];
  return {
    /** A service over a plain catalog of five reports, whose edge lets everything through, unless told otherwise. */
    async start(options = {}) {
      const given = options.catalog || options.companies ? {} : { catalog: plainCatalog(5) };
      const service = await startTestDemo({ unlicensed: [outsideCompany], ...noEdge, ...given, ...options });
      running.push(service);
      return service;
    },
    async end() {
      const ended = running.splice(0);
      await Promise.all(ended.map((service) => service.dispose()));
      for (const { control } of ended) if (control.log.failures[0]) throw control.log.failures[0];
    },
  };
}
