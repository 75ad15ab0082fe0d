import { Random } from '../random.ts';
import type { ReportFacts } from './disclosures.ts';

const assured = new Set(['SR', 'IR', 'AR2', 'GHGR', 'ESGD', 'EMAS']);

/** The assurance fields of a report. They agree with each other: without a provider there is no level or standard. */
export function assuranceOf({ profile, type, fiscalYear }: ReportFacts): Record<string, unknown> {
  const habit = profile.assurance;
  const random = new Random('assurance', profile.company.company_key, type, fiscalYear ?? 0);
  if (!habit || fiscalYear === null || fiscalYear < habit.since || !assured.has(type)) {
    return fields(null, assured.has(type) && random.chance(0.5) ? false : null, null, null, null);
  }
  const reasonable = habit.reasonableSince !== null && fiscalYear >= habit.reasonableSince;
  // Two providers share the work now and then.
  const provider = random.chance(0.06) ? `${habit.provider}; Ridgeline Verification Services` : habit.provider;
  const included = random.chance(0.8) ? true : random.chance(0.5) ? false : null;
  const scope =
    type === 'GHGR' ? 'GHG emissions' : random.pick(['selected indicators', 'GHG emissions', 'full report']);
  return fields(provider, included, reasonable ? 'reasonable' : 'limited', habit.standard, scope);
}

function fields(
  provider: string | null,
  included: boolean | null,
  level: string | null,
  standard: string | null,
  scope: string | null,
): Record<string, unknown> {
  return {
    assurance_provider: provider,
    report_assurance: provider,
    independent_assurance_report_included: included,
    assurance_level: level,
    assurance_standard: standard,
    assurance_scope: scope,
  };
}
