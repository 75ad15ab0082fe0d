import type { CallOptions } from '../schemas/page.ts';

/** Query parameters in the order they are sent; an array repeats its name, undefined leaves it out. */
export type Query = Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>;

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** Path template below the base URL, for logs and errors: `/reports/{report_id}`. */
  readonly route: string;
  /** The path itself; the route when left out. */
  readonly path?: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** False for the one endpoint that wants no key (END-1). */
  readonly key?: false;
  /** `any` when a success may be something other than JSON. */
  readonly accepts?: 'json' | 'any';
  /** The mark of what is in hand; the service need not send the same again. */
  readonly etag?: string | undefined;
}

/** A successful answer, not yet read. */
export interface Answer {
  readonly body: Uint8Array;
  /** What the service says the body is. */
  readonly isJson: boolean;
  /** The server's clock in ms since the epoch, from the Date header. */
  readonly serverTime: number | null;
  readonly requestId?: string | undefined;
  /** The mark of this body, if the service gives one. */
  readonly etag?: string | undefined;
  /** True when what the request's mark names is still right; the body is empty then. */
  readonly isUnchanged?: boolean;
}

/** What endpoints ask: one request, paced, retried where that is safe, and answered or refused with an `ApiError`. */
export interface Service {
  ask(request: ServiceRequest, options?: CallOptions): Promise<Answer>;
}
