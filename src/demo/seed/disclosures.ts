import type { TriState } from '../../api/schemas/report.ts';
import outlines from '../data/outlines.json' with { type: 'json' };
import type words from '../data/words.en.json';
import { Random } from '../random.ts';
import type { CompanyProfile } from './companies.ts';

interface ReportFacts {
  readonly profile: CompanyProfile;
  readonly type: string;
  readonly fiscalYear: number | null;
}

const broad = new Set(['SR', 'IR', 'AR2', 'ESGD']);

/** The disclosure fields except assurance: true, false where the report speaks against it, else null (CNV-2). */
export function disclosuresOf(facts: ReportFacts): Record<string, unknown> {
  const { profile, type } = facts;
  const { eu = false } = profile;
  const year = facts.fiscalYear ?? 2019;
  const random = new Random('disclosures', profile.company.company_key, type, year);
  const isBroad = broad.has(type);
  // Evidence against a standard is found about as often as nothing at all.
  const unless = (holds: boolean): TriState => (holds ? true : random.chance(isBroad ? 0.55 : 0.2) ? false : null);
  const broadly = (holds: boolean): TriState => unless(isBroad && holds);
  const griLevel = griLevelOf(facts, random);
  const sbtiStatus = sbtiStatusOf(facts, random);
  return {
    standards_gri: griLevel === null ? null : griLevel !== 'not applied',
    gri_level: griLevel,
    standards_sasb: type === 'SASB' ? true : broadly(year >= 2019 && random.chance(0.55)),
    standards_tcfd:
      type === 'TCFD' ? true : broadly(year >= 2018 && year <= 2024 && random.chance(0.25 + (year - 2017) * 0.1)),
    standards_issb: unless((isBroad || type === 'CLIM') && year >= 2024 && !eu && random.chance(0.6)),
    standards_esrs: broadly(eu && (year >= 2024 || (year === 2023 && random.chance(0.4)))),
    standards_integrated: type === 'IR' ? random.chance(0.9) : unless(false),
    // The PDF's section on methods names it.
    standards_ghg_protocol: unless(sectionsOf(type).includes('method')),
    standards_eu_taxonomy: broadly(eu && year >= 2021),
    standards_ungp: ['HRTS', 'MSST'].includes(type) ? random.chance(0.85) : broadly(year >= 2018 && random.chance(0.4)),
    standards_cdp: broadly(random.chance(0.65)),
    standards_ungc: type === 'UNGC' ? true : broadly(random.chance(0.5)),
    standards_sbti: sbtiStatus === null ? null : sbtiStatus === 'targets set' || sbtiStatus === 'committed',
    sbti_status: sbtiStatus,
    sdg_alignment: isBroad || type === 'UNGC' ? goalsOf(profile, year) : null,
    has_materiality_assessment: broadly(griLevel === 'in accordance' || random.chance(0.6)),
    has_materiality_matrix: broadly(year < 2024 && random.chance(0.5)),
  };
}

function griLevelOf({ profile, type, fiscalYear }: ReportFacts, random: Random): string | null {
  const [referenced, accordance] = profile.gri ?? [];
  if (type === 'GRIX') return accordance ? 'in accordance' : 'referenced';
  if (!broad.has(type) || fiscalYear === null) return null;
  if (accordance && fiscalYear >= accordance) return 'in accordance';
  if (referenced && fiscalYear >= referenced) return 'referenced';
  return random.chance(0.6) ? 'not applied' : null;
}

function sbtiStatusOf({ profile, type, fiscalYear }: ReportFacts, random: Random): string | null {
  if ((!broad.has(type) && !['TCFD', 'CLIM', 'CTRP'].includes(type)) || fiscalYear === null) return null;
  const { committed, set, removed } = profile.sbti ?? {};
  if (removed && fiscalYear >= removed) return 'commitment removed';
  if (set && fiscalYear >= set) return 'targets set';
  if (committed && fiscalYear >= committed) return 'committed';
  return random.chance(0.5) ? 'no relationship' : null;
}

/** The Sustainable Development Goals came in 2015; companies name more of them as the years go by. */
function goalsOf(profile: CompanyProfile, year: number): string | null {
  if (year < 2017 || profile.sdgs.length === 0) return null;
  const count = Math.min(profile.sdgs.length, 2 + (year - 2016));
  return profile.sdgs.slice(0, count).join(';');
}

const assured = new Set(['SR', 'IR', 'AR2', 'GHGR', 'ESGD', 'EMAS']);

/** The assurance fields of a report. They agree with each other: without a provider there is no level or standard. */
export function assuranceOf({ profile, type, fiscalYear }: ReportFacts): Record<string, unknown> {
  const habit = profile.assurance;
  const random = new Random('assurance', profile.company.company_key, type, fiscalYear ?? 0);
  if (!habit || fiscalYear === null || fiscalYear < habit.since || !assured.has(type))
    return {
      assurance_provider: null,
      independent_assurance_report_included: assured.has(type) && random.chance(0.5) ? false : null,
      assurance_level: null,
      assurance_standard: null,
      assurance_scope: null,
    };
  const { reasonableSince = Number.POSITIVE_INFINITY } = habit;
  const scopes = ['selected indicators', 'GHG emissions', 'full report'];
  return {
    // Two providers share the work now and then.
    assurance_provider: random.chance(0.06) ? `${habit.provider}; Ridgeline Verification Services` : habit.provider,
    independent_assurance_report_included: random.chance(0.8) ? true : random.chance(0.5) ? false : null,
    assurance_level: fiscalYear >= reasonableSince ? 'reasonable' : 'limited',
    assurance_standard: habit.standard,
    assurance_scope: type === 'GHGR' ? 'GHG emissions' : random.pick(scopes),
  };
}

export type SectionId = keyof (typeof words)['sections'];

const parts: Readonly<Record<string, readonly string[]>> = outlines.parts;

/** Which parts a report of a type has, in order. */
export function sectionsOf(type: string): readonly SectionId[] {
  return (parts[type] ?? outlines.parts.others) as readonly SectionId[];
}
