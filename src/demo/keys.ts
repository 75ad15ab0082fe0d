import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { fiscalYearOf } from '../api/schemas/fields.ts';
import type { Clock } from '../base/clock.ts';
import { Secret } from '../base/secret.ts';
import type { DemoCompany, DemoReport } from './catalogue.ts';
import type { Holdings } from './holdings.ts';

/** What a key may see (SVC-2): companies x report types x fiscal years. */
export interface Licence {
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

/** True when the licence holds this report of this company. Undated documents are outside every window (FY-2). */
export function isEntitled(licence: Licence, report: DemoReport, company: DemoCompany | undefined): boolean {
  if (company === undefined || !licence.companies.has(company)) return false;
  if (licence.fullAccess) return true;
  if (licence.types !== null && !licence.types.has(report.report_type)) return false;
  const year = fiscalYearOf(report);
  return year !== null && year >= licence.fcyearStart && (licence.fcyearEnd === null || year <= licence.fcyearEnd);
}

/** A key as the service keeps it: everything but the key. */
export interface KeyRecord {
  /** Names the key in the log, where the key itself never appears. */
  readonly label: string;
  readonly licence: Licence;
  /** ms since the epoch; null for no expiry. */
  expiresAt: number | null;
  readonly requestsPerMinute: number;
  readonly hash: Buffer;
}

/** How a key is to be issued: it has no expiry by default. */
export type KeyOptions = Pick<KeyRecord, 'label' | 'licence' | 'requestsPerMinute'> &
  Partial<Pick<KeyRecord, 'expiresAt'>>;

const prefix = 'rlk_demo_live_';

/** The keys of one service, kept as one-way hashes and compared in constant time (AUTH-5). */
export class KeyRing {
  readonly records: KeyRecord[] = [];

  /** Makes a fresh random key. Only the answer holds it; it can't be recovered. */
  issue(options: KeyOptions): Secret {
    const text = prefix + randomBytes(24).toString('base64url');
    this.records.push({ expiresAt: null, ...options, hash: digest(text) });
    return new Secret(text);
  }

  /** The record of a key as sent, whether still good or not. Looks at every record, so that time tells nothing. */
  find(text: string): KeyRecord | undefined {
    const hash = digest(text);
    let found: KeyRecord | undefined;
    for (const record of this.records) if (timingSafeEqual(record.hash, hash)) found = record;
    return found;
  }

  /** The record with this label. Throws when there is none. */
  named(label: string): KeyRecord {
    const record = this.records.find((each) => each.label === label);
    if (!record) throw new Error(`There is no key labelled "${label}".`);
    return record;
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** Issues the key with the full demo licence, labelled `full`: every type and year of the licensed companies. */
export function issueFullKey(
  ring: KeyRing,
  holdings: Holdings,
  licensed: readonly DemoCompany[],
  requestsPerMinute: number,
  clock: Clock,
): Secret {
  const years = holdings.reports.map((report) => fiscalYearOf(report)).filter((year) => year !== null);
  const first = years.reduce((least, year) => Math.min(least, year), Number.POSITIVE_INFINITY);
  const licence: Licence = {
    clientName: 'Demo Research Desk',
    fullAccess: true,
    companies: new Set(licensed),
    types: null,
    fcyearStart: Number.isFinite(first) ? first : new Date(clock.now()).getUTCFullYear(),
    fcyearEnd: null,
  };
  return ring.issue({ label: 'full', licence, requestsPerMinute });
}
