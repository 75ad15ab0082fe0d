import * as vscode from 'vscode';
import type { Services } from '../../app/session.ts';
import type { Logger } from '../../base/logger.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import type { ReportQuery, ReportSummary } from '../../library/reportQuery.ts';
import { labelText } from './messages.ts';
import { searchWhileTyping, showUntilAnswered } from './pickWhileTyping.ts';
import { typeLabel } from './reportNode.ts';

interface ReportItem extends vscode.QuickPickItem {
  readonly report: ReportSummary;
}

/** A report in a picker: the fiscal year and the type first, which a long title would hide, then title and company. */
function reportPickItem(report: ReportSummary): ReportItem {
  const year = report.fiscal_year === null ? vscode.l10n.t('undated') : String(report.fiscal_year);
  const gone = report.state === 'listed' ? null : vscode.l10n.t('withdrawn');
  const notes = [gone, report.company_name ?? report.company_key];
  return {
    label: labelText(`${year} ${typeLabel(report.type)} · ${report.title ?? report.report_key}`),
    iconPath: new vscode.ThemeIcon(report.state === 'listed' ? 'file-text' : 'circle-slash'),
    description: labelText(notes.filter((note) => note !== null).join(' · ')),
    report,
  };
}

/** The same for several; those that read alike say their language, and their key where that is the same too. */
export function reportPickItems(reports: readonly ReportSummary[]): ReportItem[] {
  let items = reports.map(reportPickItem);
  for (const note of ['language', 'report_key'] as const) {
    const read = ({ label, description }: ReportItem) => `${label}\n${description}`;
    const alike = Map.groupBy(items, read);
    items = items.map((item) => {
      const more = item.report[note];
      if (more === null || alike.get(read(item))?.length === 1) return item;
      return { ...item, description: `${item.description} · ${labelText(more)}` };
    });
  }
  return items;
}

export interface ChooseReportsOptions {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  /** Narrows what is found; the words come on top. */
  readonly among: ReportQuery;
  /** What to show before anything is typed, after those that are ticked. */
  offer(library: LibraryCalls, ticked: readonly ReportSummary[]): Promise<readonly ReportSummary[]>;
}

export const maxOffered = 100;

/**
 * Has a person tick reports; those of `chosen` are ticked already. Undefined when they leave. Asks the library alone,
 * never the service.
 */
export async function chooseReports(
  library: Library,
  chosen: readonly number[],
  choice: ChooseReportsOptions,
  log: Logger,
): Promise<readonly number[] | undefined> {
  const { min, max } = choice;
  const wrongCount = vscode.l10n.t('{0}: select {1} to {2} reports', choice.title, min, max);
  const ticked = new Map((await library.summaries(chosen)).map((report) => [report.report_id, report]));
  const box = vscode.window.createQuickPick<ReportItem>();
  box.title = choice.title;
  box.placeholder = vscode.l10n.t('Select {0} to {1} reports, or type to search the library', min, max);
  box.canSelectMany = true;
  // The index decides what matches: it knows identifiers and spellings that the rows do not show.
  box.matchOnDescription = false;
  let refilled = false;
  const fill = (reports: readonly ReportSummary[]) => {
    const first = [...ticked.values()];
    const rest = reports.filter(({ report_id }) => !ticked.has(report_id));
    const items = reportPickItems([...first, ...rest]).map((item) => ({ ...item, alwaysShow: true }));
    refilled = first.length > 0;
    box.items = items;
    box.selectedItems = items.slice(0, first.length);
  };
  return showUntilAnswered<readonly number[]>(box, (resolve) => {
    box.onDidChangeSelection((items) => {
      // New rows come unticked at first, and are ticked again in a second step.
      const isEcho = items.length === 0 && refilled;
      refilled = false;
      if (isEcho) return;
      ticked.clear();
      for (const { report } of items) ticked.set(report.report_id, report);
      const isEnough = ticked.size >= min && ticked.size <= max;
      box.title = ticked.size === 0 || isEnough ? choice.title : wrongCount;
    });
    box.onDidAccept(() => {
      const ids = box.selectedItems.map(({ report }) => report.report_id);
      if (ids.length >= min && ids.length <= max) resolve(ids);
      else box.title = wrongCount;
    });
    return searchWhileTyping(
      box,
      library,
      {
        find: async (calls, words) =>
          words.trim() === ''
            ? choice.offer(calls, [...ticked.values()])
            : (await calls.reports({ ...choice.among, text: words }, { limit: maxOffered })).items,
        show: fill,
        isEmpty: () => box.items.length === ticked.size,
      },
      log,
    );
  });
}

/** As many as fit one look; what is more comes from a company, a fiscal year or a filter. */
const maxTicked = 500;

/**
 * Has a person who chose nothing in a tree tick the reports that a command is about, the newest first. `among` narrows
 * what is offered. Undefined when they leave.
 */
export async function askForReports(
  services: Services,
  { title, among }: { readonly title: string; readonly among: ReportQuery },
  log: Logger,
): Promise<readonly number[] | undefined> {
  const { library } = await services.library();
  return chooseReports(
    library,
    [],
    {
      title,
      min: 1,
      max: maxTicked,
      among,
      offer: async (calls) => (await calls.reports(among, { limit: maxOffered })).items,
    },
    log,
  );
}

export const withPdf: ReportQuery = { facts: { has_file: true } };
