import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { isAbortError } from '../../base/clock.ts';
import { oneLine } from '../../base/words.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { type ComparedReport, compareBlocks, comparisonTitle, inReadingOrder } from '../../panels/compare.ts';
import { isListOfIds, reportIds } from '../common/arguments.ts';
import { type ChooseReportsOptions, chooseReports, maxOffered } from '../common/chooseReports.ts';
import { labelText } from '../common/messages.ts';
import { fewestCompared, maxCompared, type PanelKey } from '../common/panelUri.ts';
import { type BlocksOf, showBlocks, updatedWords } from './blocksPanel.ts';
import type { PanelPorts } from './context.ts';
import { concernsReports, type NamedText, type OpenPanel } from './panel.ts';
import { loadReport } from './reportPanel.ts';

/** Longest name of a report in the diff's title, in characters. */
const longestName = 60;

export function comparePanel(panel: OpenPanel, ports: PanelPorts, reportIds: readonly number[]): void {
  const compared = () => whole.reading.known().compared.map(({ report }) => report);
  const whole: BlocksOf<Comparison> = showBlocks(panel, {
    acts: {
      openReport(at) {
        const report = compared()[Number(at)];
        if (!report) throw new Error('That report is not part of the comparison.');
        return panel.open({ kind: 'report', reportId: report.report_id });
      },
      diffAsJson: () => diffAsJson(panel, compared()),
      chooseReports: () => chooseComparison(ports, panel, reportIds),
    },
    blocks: (content) => compareBlocks(content.compared, content.failures, vscode.env.language),
    said: updatedWords,
    title: (content) => vscode.l10n.t('Compare: {0}', comparisonTitle(content.compared)),
    read: () => read(panel, ports, reportIds),
    follows: (change) => {
      const shown = whole.reading.content?.compared.map(({ report }) => report.report_id) ?? [];
      return concernsReports(change, [...reportIds, ...shown]) && 'soon';
    },
    failed: 'Too few of the reports to compare could be read.',
  });
}

interface Comparison {
  readonly compared: readonly ComparedReport[];
  /** Which reports could not be read, and why. */
  readonly failures: readonly string[];
}

/** Reads the reports; one that can't be read is told, and the rest is compared. */
async function read(panel: OpenPanel, ports: PanelPorts, reportIds: readonly number[]): Promise<Comparison> {
  const failures: string[] = [];
  const all = await Promise.all(
    reportIds.map(async (reportId): Promise<ComparedReport[]> => {
      try {
        const reads = [loadReport(ports, reportId, panel.signal), ports.localReport(reportId)] as const;
        const [report, local] = await Promise.all(reads);
        return [{ report, isGone: local.withdrawn }];
      } catch (error) {
        if (!isAbortError(error))
          failures.push(vscode.l10n.t('Report {0} could not be read. {1}', reportId, panel.explain(error)));
        return [];
      }
    }),
  );
  const found = all.flat();
  if (found.length < fewestCompared)
    throw new Error(failures.join(' ') || vscode.l10n.t('The reports could not be read.'));
  return { compared: inReadingOrder(found), failures };
}

/** Shows two reports in the editor's own diff, as the JSON that the service sent; of more than two, asks which. */
async function diffAsJson(panel: OpenPanel, reports: readonly Report[]): Promise<void> {
  const [left, right] = (reports.length > 2 ? await choosePair(reports) : reports) ?? [];
  if (!left || !right) return;
  const title = `${oneLine(left.report_key, longestName)} ↔ ${oneLine(right.report_key, longestName)}`;
  return panel.diffTexts(asJson(left), asJson(right), title);
}

async function choosePair(reports: readonly Report[]): Promise<readonly Report[] | undefined> {
  const items = reports.flatMap((left, index) =>
    reports.slice(index + 1).map((right) => ({
      label: labelText(`${left.report_key} ↔ ${right.report_key}`),
      pair: [left, right],
    })),
  );
  const choice = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Compare as JSON'),
    placeHolder: vscode.l10n.t('Which two reports?'),
  });
  return choice?.pair;
}

/** Two reports may share a key that was renamed; their ids tell them apart. */
function asJson(report: Report): NamedText {
  const { report_id, report_key } = report;
  return {
    name: `${report_id}/${report_key.replaceAll('/', '-')}.json`,
    content: `${JSON.stringify(report, null, 2)}\n`,
  };
}

/** Asks which reports to compare, with those named already ticked, and shows them side by side. */
export async function chooseComparison(
  { services, log }: PanelPorts,
  editors: { open(key: PanelKey): Promise<void> },
  ticked: readonly number[],
): Promise<void> {
  const { library } = await services.library();
  const chosen = await chooseReports(library, ticked, comparedReports, log);
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

function wrongNumber(count: number): Error {
  return new Error(
    vscode.l10n.t('Select {0} to {1} reports to compare. You selected {2}.', fewestCompared, maxCompared, count),
  );
}

/** Which reports to compare; those that go well with the ticked ones are offered first. */
const comparedReports: ChooseReportsOptions = {
  title: vscode.l10n.t('Compare Reports'),
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
