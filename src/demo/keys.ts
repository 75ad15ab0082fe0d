import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { fiscalYearOf } from '../api/schemas/fields.ts';
import type { Clock } from '../base/clock.ts';
import { Secret } from '../base/secret.ts';
import type { DemoCompany, DemoReport } from './catalog.ts';
import type { Holdings } from './holdings.ts';

/** What a key may see (SVC-2): companies x report types x fiscal years. */
export interface License {
  readonly clientName: string;
  /** Every type and fiscal year of the licensed companies, undated documents included. */
  readonly fullAccess: boolean;
  readonly companies: Set<DemoCompany>;
  /** Null means every type. */
  readonly types: ReadonlySet<string> | null;
  readonly fcyearStart: number;
  /** Null means open-ended. */
  readonly fcyearEnd: number | null;
}

/** True when the license holds this report of this company. Undated documents are outside every window (FY-2). */
export function isEntitled(license: License, report: DemoReport, company: DemoCompany | undefined): boolean {
  if (company === undefined || !license.companies.has(company)) return false;
  if (license.fullAccess) return true;
  if (license.types !== null && !license.types.has(report.report_type)) return false;
  const year = fiscalYearOf(report);
  return year !== null && year >= license.fcyearStart && (license.fcyearEnd === null || year <= license.fcyearEnd);
}

/** How a key is to be issued: it has no expiry by default. */
export interface KeyOptions {
  /** Names the key in the log, where the key itself never appears. */
  readonly label: string;
  readonly license: License;
  readonly requestsPerMinute: number;
  /** ms since the epoch; null for no expiry. */
  readonly expiresAt?: number | null;
}

/** What a key did in one calendar month, UTC (LIM-2). */
export interface KeyUsage {
  /** YYYY-MM. */
  readonly month: string;
  requests: number;
  downloads: number;
}

/** A key as the service keeps it: everything but the key. */
export interface KeyRecord extends KeyOptions {
  expiresAt: number | null;
  readonly hash: Buffer;
  /** When requests of the last minute came, in monotonic ms. */
  readonly arrivals: number[];
  usage: KeyUsage;
}

const prefix = 'rlk_demo_live_';

/** The keys of one service, kept as one-way hashes and compared in constant time (AUTH-5). */
export class KeyRing {
  readonly records: KeyRecord[] = [];

  /** Makes a fresh random key. Only the answer holds it; it can't be recovered. */
  issue(options: KeyOptions): Secret {
    const text = prefix + randomBytes(24).toString('base64url');
    const usage = { month: '', requests: 0, downloads: 0 };
    this.records.push({ expiresAt: null, ...options, hash: digest(text), arrivals: [], usage });
    return new Secret(text);
  }

  /** The record of a key as sent, whether still good or not. Looks at every record, so that time tells nothing. */
  find(text: string): KeyRecord | undefined {
    const hash = digest(text);
    return this.records.filter((record) => timingSafeEqual(record.hash, hash))[0];
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** The full demo license: every type and year of the given companies. */
export function fullLicense(holdings: Holdings, companies: readonly DemoCompany[], clock: Clock): License {
  const years = holdings.reports.map(fiscalYearOf).filter((year) => year !== null);
  const first = years.reduce((least, year) => Math.min(least, year), Number.POSITIVE_INFINITY);
  return {
    clientName: 'Demo Research Desk',
    fullAccess: true,
    companies: new Set(companies),
    types: null,
    fcyearStart: Number.isFinite(first) ? first : new Date(clock.now()).getUTCFullYear(),
    fcyearEnd: null,
  };
}

/** The key as sent, in either header (AUTH-1). */
export function sentKey(headers: IncomingHttpHeaders): string | undefined {
  const plain = headers['x-api-key'];
  return /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? (Array.isArray(plain) ? plain[0] : plain);
}

/** The running month of a key (LIM-2); a new month starts at zero. */
export function usageOf(key: KeyRecord, clock: Clock): KeyUsage {
  const month = new Date(clock.now()).toISOString().slice(0, 7);
  if (key.usage.month !== month) key.usage = { month, requests: 0, downloads: 0 };
  return key.usage;
}

/** What the rate of a key allows. `retryAfter` (s) is set when the request is refused. */
export interface RateReading {
  readonly limit: number;
  readonly remaining: number;
  readonly retryAfter: number | null;
}

const minute = 60_000;

/** Counts one request of a key, unless its minute is full. The minute slides: the strictest reading of LIM-1. */
export function takeRate({ arrivals, requestsPerMinute: limit }: KeyRecord, clock: Clock): RateReading {
  const now = clock.monotonic();
  const used = countWithin(arrivals, minute, now);
  if (used >= limit) {
    const freeIn = (arrivals[0] ?? now) + minute - now;
    return { limit, remaining: 0, retryAfter: Math.max(1, Math.ceil(freeIn / 1000)) };
  }
  arrivals.push(now);
  return { limit, remaining: limit - used - 1, retryAfter: null };
}

/** Drops the times of arrival, in ms, that are older than `span`, and counts the others. */
export function countWithin(times: number[], span: number, now: number): number {
  while ((times[0] ?? now) <= now - span) times.shift();
  return times.length;
}
