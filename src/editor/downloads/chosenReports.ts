import type { Report } from '../../api/schemas/report.ts';
import type { Services } from '../../services.ts';
import { reportGroups, reportIds } from '../common/arguments.ts';

/** Reports that a command was given, with what the library on this machine knows of them. */
export interface ChosenReports {
  readonly ids: readonly number[];
  readonly inHand: ReadonlyMap<number, Report>;
}

/** The reports in a command's arguments. Companies and fiscal years stand for all of their reports in the library. */
export async function chosenReports(args: readonly unknown[], services: Services): Promise<ChosenReports> {
  const { library, engine } = await services.library();
  const ids = new Set(reportIds(args));
  const { phase } = await library.syncRecord();
  for (const { companyKey, fiscalYear } of reportGroups(args)) {
    // A first load that is under way may not have come to this company yet.
    if (phase !== 'following') await engine.loadCompany(companyKey);
    const years = fiscalYear === undefined ? {} : { fcyear: [fiscalYear] };
    for (const id of await library.reportIds({ company_key: [companyKey], ...years })) ids.add(id);
  }
  const inHand = new Map<number, Report>();
  for (const id of ids) {
    const stored = await library.report(id);
    if (stored?.state === 'listed') inHand.set(id, stored.report);
  }
  return { ids: [...ids], inHand };
}
