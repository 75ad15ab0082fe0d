import * as vscode from 'vscode';
import { familyIndex } from '../../api/schemas/reportTypes.ts';
import type { Services } from '../../app/session.ts';
import { reportIdOf } from '../../library/findReports.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { yearLabel } from '../../protocol/coverage.ts';
import { labelText } from '../common/messages.ts';
import { missingNote, typeLabel } from '../common/reportNode.ts';
import type { OpenPanel } from './panel.ts';

/**
 * The id of the report that a text names: an id is taken as it is, a key is looked up (LKP-1).
 * @throws Error when no report in the license has that key
 */
export async function reportNamed(services: Services, text: string): Promise<number> {
  const wanted = text.trim();
  const id = reportIdOf(wanted);
  if (id !== undefined) return id;
  const [found] = await services.call((client) => client.lookup([wanted], { priority: 'interactive' }));
  if (found?.report_id == null)
    throw new Error(
      vscode.l10n.t('No report in your license has that key. Check it, or look the company up in the Watchlist.'),
    );
  return found.report_id;
}

/** Most reports of one company that a panel looks at. */
export const maxReports = 5000;

/** Where a cell of a coverage matrix is: 0 for undated, and the places of its families. */
interface CellPlace {
  readonly companyKey: string;
  readonly year: number;
  readonly families: readonly number[];
}

/** Opens the only report of a cell, or the one that a person picks; nothing when the person leaves. */
export async function openCell(
  panel: Pick<OpenPanel, 'open'>,
  library: LibraryCalls,
  { companyKey, year, families }: CellPlace,
  company: string,
): Promise<void> {
  const query = { company_key: [companyKey], fcyear: [year === 0 ? null : year], state: 'all' } as const;
  const { items } = await library.reports(query, { limit: maxReports });
  const reports = items.filter(({ type }) => families.includes(familyIndex(type)));
  const reportId = await pickReport(reports, `${company}, ${yearLabel(year)}`);
  if (reportId !== undefined) await panel.open({ kind: 'report', reportId });
}

async function pickReport(reports: readonly ReportSummary[], title: string): Promise<number | undefined> {
  const [first] = reports;
  if (!first) throw new Error(vscode.l10n.t('The list was refreshed. Choose again.'));
  if (reports.length === 1) return first.report_id;
  const picks = reports.map((report) => ({
    label: labelText(typeLabel(report.type)),
    description: labelText([missingNote(report), report.language].filter(Boolean).join(' · ')),
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
