import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { fewestCompared, mostCompared } from '../../protocol/compare.ts';
import { labelText } from '../common/plainText.ts';
import { typeLabel } from '../common/reportNode.ts';
import { showProblem } from '../common/showProblem.ts';

interface Item extends vscode.QuickPickItem {
  readonly report: ReportSummary;
}

const mostOffered = 100;

/**
 * Asks which reports to compare; those of `chosen` are ticked already, and reports that go well with them are offered
 * first. Undefined when the person leaves. Asks the library alone, never the service.
 */
export async function chooseReports(
  library: Library,
  chosen: readonly number[],
  log: Logger,
): Promise<readonly number[] | undefined> {
  const ticked = new Map((await library.summaries(chosen)).map((report) => [report.report_id, report]));
  return new Promise((resolve) => {
    const box = vscode.window.createQuickPick<Item>();
    box.title = vscode.l10n.t('Compare Reports');
    box.placeholder = vscode.l10n.t(
      'Tick {0} to {1} reports; type to search the library',
      fewestCompared,
      mostCompared,
    );
    box.canSelectMany = true;
    // The index decides what matches: it knows identifiers and spellings that the rows do not show.
    box.matchOnDescription = false;
    let typing: AbortController | undefined;
    let refilled = false;
    const fill = (reports: readonly ReportSummary[]) => {
      const first = [...ticked.values()];
      const rest = reports.filter(({ report_id }) => !ticked.has(report_id));
      const items = [...first, ...rest].map(itemOf);
      refilled = first.length > 0;
      box.items = items;
      box.selectedItems = items.slice(0, first.length);
    };
    const search = async (words: string) => {
      typing?.abort();
      const mine = new AbortController();
      typing = mine;
      try {
        const calls = library.withSignal(mine.signal);
        const found =
          words.trim() === ''
            ? await goWith(calls, [...ticked.values()])
            : (await calls.reports({ text: words, state: 'all' }, { limit: mostOffered })).items;
        if (!mine.signal.aborted) fill(found);
      } catch (error) {
        if (!mine.signal.aborted) showProblem(error, log);
      }
    };
    box.onDidChangeValue(search);
    box.onDidChangeSelection((items) => {
      // New rows come unticked at first, and are ticked again in a second step.
      const isEcho = items.length === 0 && refilled;
      refilled = false;
      if (isEcho) return;
      ticked.clear();
      for (const { report } of items) ticked.set(report.report_id, report);
      const enough = ticked.size >= fewestCompared && ticked.size <= mostCompared;
      box.title =
        ticked.size === 0 || enough
          ? vscode.l10n.t('Compare Reports')
          : vscode.l10n.t('Compare Reports: {0} to {1} please', fewestCompared, mostCompared);
    });
    box.onDidAccept(() => {
      const ids = box.selectedItems.map(({ report }) => report.report_id);
      if (ids.length < fewestCompared || ids.length > mostCompared) return;
      resolve(ids);
      box.hide();
    });
    box.onDidHide(() => {
      typing?.abort();
      following.dispose();
      box.dispose();
      resolve(undefined);
    });
    // While a library is being loaded there may be nothing to offer yet.
    const following = library.onDidChange(() => {
      if (box.items.length === ticked.size) void search(box.value);
    });
    box.show();
    void search('');
  });
}

/** Other years of the same companies, then the newest reports of the same kind, then the newest of all. */
async function goWith(library: LibraryCalls, chosen: readonly ReportSummary[]): Promise<readonly ReportSummary[]> {
  const company_key = [...new Set(chosen.map((report) => report.company_key))];
  const page = { limit: mostOffered };
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

function itemOf(report: ReportSummary): Item {
  const year =
    report.fiscal_year_label ?? (report.fiscal_year === null ? vscode.l10n.t('undated') : String(report.fiscal_year));
  const gone = report.state === 'listed' ? [] : [vscode.l10n.t('withdrawn')];
  return {
    label: labelText(`${report.company_name ?? report.company_key} · ${year}`),
    description: labelText([typeLabel(report.type), report.title ?? report.report_key, ...gone].join(' · ')),
    alwaysShow: true,
    report,
  };
}
