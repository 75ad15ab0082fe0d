import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { isListOfIds, reportIds } from '../common/arguments.ts';
import { type ChooseReportsOptions, chooseReports, maxOffered } from '../common/chooseReports.ts';
import { fewestCompared, maxCompared, type PanelKey } from '../common/panelUri.ts';

/** Asks which reports to compare, with those named already ticked, and shows them side by side. */
export async function chooseComparison(
  ports: { library(): Promise<Library>; readonly log: Logger },
  editors: { open(key: PanelKey): Promise<null> },
  ticked: readonly number[],
): Promise<void> {
  const chosen = await chooseReports(await ports.library(), ticked, comparedReports, ports.log);
  if (chosen) await editors.open({ kind: 'compare', reportIds: chosen });
}

/**
 * The reports that a command's arguments name. A program names them all; from a menu there may be too few, and then
 * the person is asked for the rest.
 * @throws Error when there are more than can be compared, or a program names too few
 */
export function reportsToCompare(args: readonly unknown[]): { readonly ids: number[]; readonly isWhole: boolean } {
  const ids = reportIds(args);
  const isWhole = ids.length >= fewestCompared;
  if (ids.length > maxCompared || (!isWhole && isListOfIds(args))) throw wrongNumber(ids.length);
  return { ids, isWhole };
}

/** Says how many reports can be compared. */
function wrongNumber(count: number): Error {
  return new Error(
    count === 1
      ? vscode.l10n.t(
          'Between {0} and {1} reports can be compared; 1 is chosen. Choose again.',
          fewestCompared,
          maxCompared,
        )
      : vscode.l10n.t(
          'Between {0} and {1} reports can be compared; {2} are chosen. Choose again.',
          fewestCompared,
          maxCompared,
          count,
        ),
  );
}

/** Which reports to compare; those that go well with the ticked ones are offered first. */
const comparedReports: ChooseReportsOptions = {
  title: vscode.l10n.t('Compare Reports'),
  wrongCount: vscode.l10n.t('Compare Reports: {0} to {1} please', fewestCompared, maxCompared),
  placeholder: vscode.l10n.t('Tick {0} to {1} reports; type to search the library', fewestCompared, maxCompared),
  min: fewestCompared,
  max: maxCompared,
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
