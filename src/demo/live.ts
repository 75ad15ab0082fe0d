import { fiscalYearOf } from '../api/schemas/report.ts';
import type { Clock } from '../base/clock.ts';
import type { DemoReport } from './catalogue.ts';
import type { Holdings } from './holdings.ts';
import type { Mutations } from './mutations.ts';
import { seededRandom } from './random.ts';

/** What happens, in turn: more comes than goes. */
const kinds = ['add', 'metadata', 'pdf', 'add', 'withdraw', 'metadata', 'add', 'pdf'] as const;

/** Changes the catalogue by itself until the signal aborts: a new report, new metadata, a new PDF, a withdrawal. */
export async function live(
  mutations: Mutations,
  holdings: Holdings,
  clock: Clock,
  /** Time between changes and before the first one, ms. */
  options: { readonly seed: number; readonly every: number; readonly first: number },
  signal: AbortSignal,
): Promise<void> {
  const random = seededRandom(options.seed);
  try {
    for (let turn = 0; ; turn++) {
      await clock.sleep(turn === 0 ? options.first : options.every, signal);
      changeOnce(kinds[turn % kinds.length] ?? 'add', mutations, holdings, random, clock.now());
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function changeOnce(
  kind: (typeof kinds)[number],
  mutations: Mutations,
  holdings: Holdings,
  random: () => number,
  now: number,
): void {
  const among = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  if (kind === 'add') {
    // Only a company that has not reported on the present year yet brings something new.
    const present = new Date(now).getUTCFullYear();
    const behind = holdings.companies.filter((company) => lastYear(holdings.reportsOf(company)) < present);
    const company = among(behind.length > 0 ? behind : holdings.companies);
    if (company) mutations.add(company.company_key, { report_type: usualType(holdings.reportsOf(company)) });
    return;
  }
  const report = among(kind === 'pdf' ? holdings.reports.filter(({ has_file }) => has_file) : holdings.reports);
  if (!report) return;
  const { report_id, fields } = report;
  if (kind === 'pdf') mutations.replacePdf(report_id);
  else if (kind === 'withdraw') mutations.withdraw(report_id);
  else mutations.change(report_id, { fields: { has_materiality_matrix: fields.has_materiality_matrix !== true } });
}

function lastYear(reports: readonly DemoReport[]): number {
  return reports.reduce((last, report) => Math.max(last, fiscalYearOf(report) ?? 0), 0);
}

/** The type a company publishes most. */
function usualType(reports: readonly DemoReport[]): string {
  const counts = Map.groupBy(reports, (report) => report.report_type);
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 'SR';
}
