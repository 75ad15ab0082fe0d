import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { reportIds } from '../common/reportArguments.ts';

const idForm = /^[1-9]\d{0,15}$/;

/** The id of the report that a command's arguments name, or that the user names when asked; undefined when the user leaves. */
export async function reportOf(services: Services, args: readonly unknown[]): Promise<number | undefined> {
  const [id] = reportIds(args);
  if (id !== undefined) return id;
  const text = typeof args[0] === 'string' ? args[0] : await askForReport();
  return text === undefined ? undefined : findReport(services, text);
}

/** Asks for a report; undefined when the user leaves. */
function askForReport(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Open Report'),
    prompt: vscode.l10n.t('The id or the key of a report. A key that was renamed still works.'),
    placeHolder: vscode.l10n.t('1042 or XETR_ABC_2024_SR'),
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Enter a report id or a report key.') : undefined),
  });
}

/**
 * The id of the report that a text names: an id is taken as it is, a key is looked up (LKP-1).
 * @throws Error when no report in the licence has that key
 */
async function findReport(services: Services, text: string): Promise<number> {
  const wanted = text.trim();
  if (idForm.test(wanted) && Number.isSafeInteger(Number(wanted))) return Number(wanted);
  const [found] = await services.call((client) => client.lookup([wanted], { priority: 'interactive' }));
  if (found?.report_id == null) {
    throw new Error(
      vscode.l10n.t('No report in your licence has that key. Check it, or look the company up in the Watchlist.'),
    );
  }
  return found.report_id;
}
