import { Random } from '../random.ts';
import type { CompanyProfile } from './profile.ts';
import { firstFiscalYear } from './profile.ts';

/** A company's emissions of a fiscal year, whole tonnes of CO2 equivalent, and what goes with them. */
export interface EmissionYear {
  readonly fiscalYear: number;
  readonly scope1: number;
  readonly scope2Location: number;
  readonly scope2Market: number;
  readonly scope3: number;
  /** GWh. */
  readonly energy: number;
  /** Share of electricity from renewable sources, whole per cent. */
  readonly renewable: number;
  /** Thousands of cubic metres. */
  readonly water: number;
}

/**
 * The same figures whichever report states them: a steady course with a little noise, and a dip in 2020 and 2021.
 * Years before the first fiscal year are not known.
 */
export function emissionsOf(profile: Pick<CompanyProfile, 'company' | 'emissions'>, fiscalYear: number): EmissionYear {
  const [scope1, scope2, scope3, yearlyChange] = profile.emissions;
  let course = 1;
  for (let year = firstFiscalYear; year < fiscalYear; year++) course *= 1 + yearlyChange;
  const random = new Random('emissions', profile.company.company_key, fiscalYear);
  const dip = fiscalYear === 2020 ? 0.91 : fiscalYear === 2021 ? 0.96 : 1;
  const around = () => course * dip * (0.985 + random.next() * 0.03);
  const renewable = Math.min(
    96,
    Math.max(3, Math.round(12 + (fiscalYear - firstFiscalYear) * (2 - yearlyChange * 90))),
  );
  const scope2Location = Math.round(scope2 * around());
  return {
    fiscalYear,
    scope1: Math.round(scope1 * around()),
    scope2Location,
    scope2Market: Math.round(scope2Location * (1 - renewable / 130)),
    scope3: Math.round(scope3 * around()),
    energy: Math.max(1, Math.round(((scope1 * 4.1 + scope2 * 2.6) / 1000) * around())),
    renewable,
    water: Math.max(2, Math.round(((scope1 + scope2) / 210) * around())),
  };
}
