import { fiscalYearOf } from '../api/schemas/report.ts';
import { isCoreReportType, knownReportTypes } from '../api/schemas/reportTypes.ts';
import type { Clock } from '../base/clock.ts';
import type { Secret } from '../base/secret.ts';
import type { DemoCompany } from './catalogue.ts';
import type { Holdings } from './holdings.ts';
import { type KeyRing, scopes } from './keys.ts';
import type { Licence } from './licence.ts';

/** Keys that every demo service issues, by what is special about them. */
export interface DemoKeys {
  /** Every type and year of the licensed companies. */
  readonly full: Secret;
  /** The first three companies, at the sandbox's rate (SVC-6). */
  readonly sandbox: Secret;
  /** The licensed companies, in the fiscal years 2019 to 2021. */
  readonly years: Secret;
  /** The licensed companies, core types only, from 2018 on without an end. */
  readonly core: Secret;
  /** May read everything but no files: the scope for them is lacking. */
  readonly withoutFiles: Secret;
  readonly expired: Secret;
  readonly revoked: Secret;
}
export type DemoKeyName = keyof DemoKeys;

const sandboxCompanies = 3;
const sandboxRequestsPerMinute = 120;
const day = 86_400_000;

/** Issues the keys of a service. `licensed` are the companies of all licences but the sandbox's. */
export function issueDemoKeys(
  ring: KeyRing,
  holdings: Holdings,
  licensed: readonly DemoCompany[],
  requestsPerMinute: number,
  clock: Clock,
): DemoKeys {
  const years = holdings.reports.map((report) => fiscalYearOf(report)).filter((year) => year !== null);
  const first = years.reduce((least, year) => Math.min(least, year), Number.POSITIVE_INFINITY);
  const full: Licence = {
    clientName: 'Demo Research Desk',
    fullAccess: true,
    companies: new Set(licensed),
    types: null,
    fcyearStart: Number.isFinite(first) ? first : new Date(clock.now()).getUTCFullYear(),
    fcyearEnd: null,
  };
  const narrowed = (name: string, change: Partial<Licence>): Licence => ({
    ...full,
    clientName: `Demo Research Desk (${name})`,
    fullAccess: false,
    companies: new Set(licensed),
    ...change,
  });
  const core = new Set(knownReportTypes.filter(isCoreReportType));
  const sandbox = narrowed('sandbox', { companies: new Set(licensed.slice(0, sandboxCompanies)) });
  const window = narrowed('2019 to 2021', { fcyearStart: 2019, fcyearEnd: 2021 });
  const issue = (label: DemoKeyName, licence: Licence, more: Partial<Parameters<KeyRing['issue']>[0]> = {}) =>
    ring.issue({ label, licence, requestsPerMinute, ...more });
  const keys = {
    full: issue('full', full),
    sandbox: issue('sandbox', sandbox, { requestsPerMinute: Math.min(requestsPerMinute, sandboxRequestsPerMinute) }),
    years: issue('years', window),
    core: issue('core', narrowed('core types', { types: core, fcyearStart: 2018 })),
    withoutFiles: issue('withoutFiles', full, { scopes: scopes.filter((scope) => scope !== 'files:read') }),
    expired: issue('expired', full, { expiresAt: clock.now() - day }),
    revoked: issue('revoked', full),
  };
  ring.named('revoked').revoked = true;
  return keys;
}
