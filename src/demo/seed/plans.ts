import { fiscalYearOf } from '../../api/schemas/report.ts';
import type { DemoCompany, DemoReport } from '../catalogue.ts';
import { generatedProfile } from './generated.ts';
import type { Plans } from './pdf/store.ts';
import type { PlannedReport } from './plan.ts';
import { planReports } from './plan.ts';
import type { CompanyProfile } from './profile.ts';

/**
 * Remembers how each report was planned. Plans of generated companies are made again when asked for, so that a large
 * catalogue stays small; those of reports that joined later are taken from their record at first sight.
 */
export class KnownPlans implements Plans {
  readonly #written: ReadonlyMap<number, PlannedReport>;
  readonly #firstIds: readonly number[];
  readonly #companies: readonly DemoCompany[];
  readonly #profileAt: (index: number) => CompanyProfile | undefined;
  readonly #generatedAt: (index: number) => CompanyProfile;
  readonly #joined = new Map<number, PlannedReport>();

  /**
   * @param firstIds the first report id of each generated company, and the id after the last one.
   * @param companies all companies, those written by hand first.
   */
  constructor(
    written: ReadonlyMap<number, PlannedReport>,
    firstIds: readonly number[],
    companies: readonly DemoCompany[],
    profiles: readonly CompanyProfile[],
    seed: number,
  ) {
    this.#written = written;
    this.#firstIds = firstIds;
    this.#companies = [...companies];
    this.#generatedAt = (index) => generatedProfile(index, seed);
    this.#profileAt = (index) => profiles[index] ?? this.#generatedAt(index - profiles.length);
  }

  isGenerated(report: DemoReport): boolean {
    return !this.#joined.has(report.report_id) && this.#isFirstGenerated(report.report_id);
  }

  planOf(report: DemoReport): PlannedReport {
    const id = report.report_id;
    const known = this.#written.get(id) ?? this.#joined.get(id);
    if (known) return known;
    const generated = this.#isFirstGenerated(id) ? this.#generatedPlan(id) : undefined;
    if (generated) return generated;
    const joined = this.#planFrom(report);
    this.#joined.set(id, joined);
    return joined;
  }

  #isFirstGenerated(id: number): boolean {
    return id >= (this.#firstIds[0] ?? Infinity) && id < (this.#firstIds.at(-1) ?? 0);
  }

  #generatedPlan(id: number): PlannedReport | undefined {
    let low = 0;
    let high = this.#firstIds.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#firstIds[middle] ?? 0) <= id) low = middle;
      else high = middle;
    }
    return planReports(this.#generatedAt(low))[id - (this.#firstIds[low] ?? 0)];
  }

  #planFrom(report: DemoReport): PlannedReport {
    const key = report.company_key;
    const index = this.#companies.findIndex((each) => each.company_key === key || each.formerKeys.includes(key));
    const profile = index < 0 ? undefined : this.#profileAt(index);
    if (!profile) throw new RangeError(`Report ${report.report_id} is of no company of this catalogue.`);
    return {
      profile,
      key: report.report_key,
      formerKeys: [],
      type: report.report_type,
      fiscalYear: fiscalYearOf(report),
      coverYear: report.report_year,
      twoYearRecord: false,
      lang: report.report_lang,
      scope: 'full',
      hasFile: true,
      issue: 1,
      title: report.report_title,
    };
  }
}
