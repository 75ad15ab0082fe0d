import { isCoreReportType, knownReportTypes } from '../../../src/api/schemas/reportTypes.ts';
import type { Clock } from '../../../src/base/clock.ts';
import type { Secret } from '../../../src/base/secret.ts';
import type { KeyOptions, KeyRecord, KeyRing, License } from '../../../src/demo/keys.ts';

/** Keys that tests find beside the full one, by what is special about them. */
export type SpecialKeys = ReturnType<typeof issueSpecialKeys>;

const sandboxCompanies = 3;
const sandboxRequestsPerMinute = 120;
const day = 86_400_000;

/** The record with this label. Throws when there is none. */
export function namedKey(ring: KeyRing, label: string): KeyRecord {
  const record = ring.records.find((each) => each.label === label);
  if (!record) throw new Error(`There is no key labeled "${label}".`);
  return record;
}

/** Issues keys that are narrower than the full one, or no good. */
export function issueSpecialKeys(ring: KeyRing, clock: Clock) {
  const { license: full, requestsPerMinute } = namedKey(ring, 'full');
  const narrowed = (name: string, change: Partial<License>): License => ({
    ...full,
    clientName: `${full.clientName} (${name})`,
    fullAccess: false,
    companies: new Set(full.companies),
    ...change,
  });
  const issue = (label: string, license: License, more: Partial<KeyOptions> = {}): Secret =>
    ring.issue({ label, license, requestsPerMinute, ...more });
  const core = new Set(knownReportTypes.filter(isCoreReportType));
  const keys = {
    /** The first three companies, at the sandbox's rate (SVC-6). */
    sandbox: issue(
      'sandbox',
      narrowed('sandbox', { companies: new Set([...full.companies].slice(0, sandboxCompanies)) }),
      {
        requestsPerMinute: Math.min(requestsPerMinute, sandboxRequestsPerMinute),
      },
    ),
    years: issue('years', narrowed('2019 to 2021', { fcyearStart: 2019, fcyearEnd: 2021 })),
    /** Core types only, from 2018 on without an end. */
    core: issue('core', narrowed('core types', { types: core, fcyearStart: 2018 })),
    /** May read everything but files: its requests for links are refused. */
    withoutFiles: issue('withoutFiles', full),
    expired: issue('expired', full, { expiresAt: clock.now() - day }),
  };
  return keys;
}
