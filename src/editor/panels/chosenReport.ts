import * as vscode from 'vscode';
import { familyIndex } from '../../api/schemas/reportTypes.ts';
import type { Logger } from '../../base/logger.ts';
import { findReports, reportIdOf } from '../../library/findReports.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { yearLabel } from '../../protocol/coverage.ts';
import type { Services } from '../../services.ts';
import { reportIds } from '../common/arguments.ts';
import { reportPickItem } from '../common/chooseReports.ts';
import { labelText } from '../common/messages.ts';
import { pickWhileTyping } from '../common/pickWhileTyping.ts';
import { missingNote, typeLabel } from '../common/reportNode.ts';
import type { OpenPanel, PanelPorts } from './panel.ts';

/** A key's length is not told; shorter is still being typed, longer is something else that was pasted. */
const keyForm = /^\S{3,200}$/;
const maxRows = 50;

/** The report that a command's arguments name, or that the user chooses; undefined when the user leaves. */
export async function reportOf(
  { services, log }: Pick<PanelPorts, 'services' | 'log'>,
  args: readonly unknown[],
): Promise<number | undefined> {
  const [id] = reportIds(args);
  if (id !== undefined) return id;
  if (typeof args[0] === 'string') return findReport(services, args[0]);
  const named = await askForReport(services, log);
  return typeof named === 'string' ? findReport(services, named) : named;
}

interface ReportPick extends vscode.QuickPickItem {
  /** The report's id; a text for what the library does not know, and only the service can find. */
  readonly named: number | string;
}

/** Asks for a report; a text for an id or key that the library does not know. Undefined when the user leaves. */
async function askForReport(services: Services, log: Logger): Promise<number | string | undefined> {
  const { library } = await services.library();
  const picked = await pickWhileTyping<ReportPick>(
    library,
    {
      title: vscode.l10n.t('Open Report'),
      placeholder: vscode.l10n.t('Company, title, year, report key or id; a key that was renamed still works'),
      itemsFor,
    },
    log,
  );
  return picked?.named;
}

async function itemsFor(calls: LibraryCalls, words: string): Promise<readonly ReportPick[]> {
  const text = words.trim();
  if (text === '') return (await calls.reports({}, { limit: maxRows })).items.map(pickOf);
  const { named, reports } = await findReports(calls, text, maxRows);
  const rows = reports.map(pickOf);
  if (named || !keyForm.test(text)) return rows;
  // A typed id or key is meant as one; a word that merely could be one is taken as a word first.
  return /[_:]|^\d+$/.test(text) ? [serviceRow(text), ...rows] : [...rows, serviceRow(text)];
}

function pickOf(report: Parameters<typeof reportPickItem>[0]): ReportPick {
  return { ...reportPickItem(report), detail: labelText(report.report_key), named: report.report_id };
}

function serviceRow(text: string): ReportPick {
  return {
    label: vscode.l10n.t('Ask the service for “{0}”', labelText(text)),
    iconPath: new vscode.ThemeIcon('cloud'),
    description: vscode.l10n.t('an id, or a current or former key in your licence'),
    named: text,
  };
}

/**
 * The id of the report that a text names: an id is taken as it is, a key is looked up (LKP-1).
 * @throws Error when no report in the licence has that key
 */
async function findReport(services: Services, text: string): Promise<number> {
  const wanted = text.trim();
  const id = reportIdOf(wanted);
  if (id !== undefined) return id;
  const [found] = await services.call((client) => client.lookup([wanted], { priority: 'interactive' }));
  if (found?.report_id == null)
    throw new Error(
      vscode.l10n.t('No report in your licence has that key. Check it, or look the company up in the Watchlist.'),
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
  if (!first) throw new Error(vscode.l10n.t('There is no longer a report here.'));
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
