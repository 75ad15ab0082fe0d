import * as vscode from 'vscode';
import { familyIndex } from '../../api/schemas/reportTypes.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { labelText } from '../common/messages.ts';
import { typeLabel } from '../common/reportNode.ts';

/** Most reports of one company that a panel looks at. */
export const maxReports = 5000;

/** The reports of a company that are filed under a year, 0 for undated, and belong to one of the families. */
export async function reportsOfCell(
  library: LibraryCalls,
  { companyKey, year, families }: { companyKey: string; year: number; families: readonly number[] },
): Promise<readonly ReportSummary[]> {
  const query = { company_key: [companyKey], fcyear: [year === 0 ? null : year], state: 'all' } as const;
  const { items } = await library.reports(query, { limit: maxReports });
  return items.filter(({ type }) => families.includes(familyIndex(type)));
}

/** The only report of a list, or the one that a person picks; undefined when the person leaves. */
export async function pickReport(reports: readonly ReportSummary[], title: string): Promise<number | undefined> {
  const [first] = reports;
  if (!first) throw new Error(vscode.l10n.t('There is no report here any more.'));
  if (reports.length === 1) return first.report_id;
  const picks = reports.map((report) => ({
    label: labelText(typeLabel(report.type)),
    description: labelText([stateOf(report), report.language].filter(Boolean).join(' · ')),
    detail: labelText(report.title ?? report.report_key),
    id: report.report_id,
  }));
  const picked = await vscode.window.showQuickPick(picks, {
    title,
    placeHolder: vscode.l10n.t('Choose a report to open'),
    matchOnDetail: true,
  });
  return picked?.id;
}

function stateOf({ state, has_file }: ReportSummary): string | null {
  if (state !== 'listed') return state === 'withdrawn' ? vscode.l10n.t('withdrawn') : vscode.l10n.t('no longer listed');
  return has_file === false ? vscode.l10n.t('no PDF') : null;
}
