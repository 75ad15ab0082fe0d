import * as vscode from 'vscode';
import type { LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { fewestCompared, mostCompared } from '../../protocol/compare.ts';
import { type ChooseReportsOptions, maxOffered } from '../common/chooseReports.ts';

/** Which reports to compare; those that go well with the ticked ones are offered first. */
export const comparedReports: ChooseReportsOptions = {
  title: vscode.l10n.t('Compare Reports'),
  wrongCount: vscode.l10n.t('Compare Reports: {0} to {1} please', fewestCompared, mostCompared),
  placeholder: vscode.l10n.t('Tick {0} to {1} reports; type to search the library', fewestCompared, mostCompared),
  min: fewestCompared,
  max: mostCompared,
  among: { state: 'all' },
  offer: goWith,
};

/** Other years of the same companies, then the newest reports of the same kind, then the newest of all. */
async function goWith(library: LibraryCalls, chosen: readonly ReportSummary[]): Promise<readonly ReportSummary[]> {
  const company_key = [...new Set(chosen.map((report) => report.company_key))];
  const page = { limit: maxOffered };
  if (company_key.length === 0) return (await library.reports({}, page)).items;
  const type = [...new Set(chosen.flatMap((report) => (report.type === null ? [] : [report.type])))];
  const fcyear = [...new Set(chosen.map(({ fiscal_year }) => fiscal_year))];
  const [own, alike] = await Promise.all([
    library.reports({ company_key, state: 'all' }, page),
    library.reports({ type, fcyear }, page),
  ]);
  const sameType = (report: ReportSummary) => (report.type !== null && type.includes(report.type) ? 0 : 1);
  const seen = new Set<number>();
  return [...own.items.toSorted((a, b) => sameType(a) - sameType(b)), ...alike.items].filter(({ report_id }) => {
    if (seen.has(report_id)) return false;
    seen.add(report_id);
    return true;
  });
}
