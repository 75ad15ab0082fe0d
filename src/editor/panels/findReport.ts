import * as vscode from 'vscode';
import { findReports, reportIdOf } from '../../library/findReports.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { Services } from '../../services.ts';
import { reportIds } from '../common/arguments.ts';
import { reportPickItem } from '../common/chooseReports.ts';
import type { Log } from '../common/log.ts';
import { labelText } from '../common/messages.ts';
import { pickWhileTyping } from '../common/pickWhileTyping.ts';

/** A key's length is not told; shorter is still being typed, longer is something else that was pasted. */
const keyForm = /^\S{3,200}$/;
const maxRows = 50;

/** The id of the report that a command's arguments name, or that the user names when asked; undefined when the user leaves. */
export async function reportOf(services: Services, args: readonly unknown[], log: Log): Promise<number | undefined> {
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
async function askForReport(services: Services, log: Log): Promise<number | string | undefined> {
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
  // Whoever types an id or a key means it; a word that merely could be one is a word first.
  return /[_:]|^\d+$/.test(text) ? [serviceRow(text), ...rows] : [...rows, serviceRow(text)];
}

function pickOf(report: Parameters<typeof reportPickItem>[0]): ReportPick {
  return { ...reportPickItem(report), detail: labelText(report.report_key), named: report.report_id };
}

function serviceRow(text: string): ReportPick {
  return {
    label: `$(cloud) ${vscode.l10n.t('Ask the service for “{0}”', labelText(text))}`,
    description: vscode.l10n.t('an id, or a key that is or was in your licence'),
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
  if (found?.report_id == null) {
    throw new Error(
      vscode.l10n.t('No report in your licence has that key. Check it, or look the company up in the Watchlist.'),
    );
  }
  return found.report_id;
}
