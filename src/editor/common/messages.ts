import * as vscode from 'vscode';
import { ApiError } from '../../api/transport/errors.ts';
import { isAbortError, maxWait } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { plainText } from '../../base/words.ts';
import type { LockProblem } from '../../downloads/manifest.ts';
import { commandIds } from './contributions.ts';
import { resourceSetting } from './settings.ts';

/**
 * Text of the service for a notification. The editor turns `[text](command:…)` in notifications into live links, so
 * brackets are swapped for look-alikes that it does not parse.
 */
export function notificationText(text: string): string {
  return plainText(text).replaceAll('[', '［').replaceAll(']', '］');
}

/** Text of the service for a label that would show `$(name)` as an icon. */
export function labelText(text: string): string {
  return plainText(text).replaceAll('$(', '$\u200b(');
}

/** A name that a person typed, as it is stored and shown: one line of visible text. */
export function tidy(name: string): string {
  return labelText(plainText(name, 80));
}

/** What Restricted Mode keeps from being done. */
export class RestrictedError extends Error {}

/** Asks for another downloads folder, and writes it into the settings of the workspace folder. */
async function useAnotherFolder(): Promise<void> {
  const [only, ...more] = vscode.workspace.workspaceFolders ?? [];
  const home = more.length > 0 ? await vscode.window.showWorkspaceFolderPick() : only;
  if (only && !home) return;
  const key = 'reportLibrary.downloads.folder';
  const { folderProblem } = await import('../../downloads/path.ts');
  const folder = await vscode.window.showInputBox({
    title: vscode.l10n.t('Use Another Folder'),
    prompt: vscode.l10n.t('Folder for downloaded PDFs, relative to the workspace folder'),
    value: `${resourceSetting(key, home?.uri)}-2`,
    validateInput: folderProblem,
  });
  if (folder === undefined) return;
  const { WorkspaceFolder, Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration(undefined, home?.uri).update(key, folder, home ? WorkspaceFolder : Global);
  void vscode.window.showInformationMessage(vscode.l10n.t('PDFs now go to {0}. Download again.', tidy(folder)));
}

/** By its name: its module is loaded with downloads, and this one at the start. */
const isLockProblem = (error: unknown): error is LockProblem => error instanceof Error && error.name === 'LockProblem';

type Remedies = Readonly<Record<string, () => unknown>>;

/** What most likely helps against a problem, by the words on its button. */
function remediesFor(error: unknown): Remedies {
  const run = (command: string) => () => vscode.commands.executeCommand(command);
  if (error instanceof RestrictedError)
    return { [vscode.l10n.t('Manage Workspace Trust')]: run('workbench.trust.manage') };
  if (isLockProblem(error) && error.code === 'other-service')
    return {
      [vscode.l10n.t('Use Another Folder…')]: useAnotherFolder,
      [vscode.l10n.t('Switch Connection…')]: run(commandIds.switchConnection),
    };
  // Messages written for people are complete. The log adds details only for service errors and bugs.
  const isTold = error instanceof Error && (error.constructor === Error || isLockProblem(error));
  const log: Remedies = isTold ? {} : { [vscode.l10n.t('Show Log')]: run(commandIds.showLog) };
  if (!(error instanceof ApiError)) return log;
  const { kind, retryAfter = 0 } = error.problem;
  if (retryAfter > maxWait) return { [vscode.l10n.t('Try Again')]: run(commandIds.tryNow), ...log };
  return kind === 'unauthorized' ? { [vscode.l10n.t('Sign In…')]: run(commandIds.signIn), ...log } : log;
}

/** A problem in words a person understands: the cause and the next step of an {@link ApiError}, else its message. */
export function problemText(error: unknown): string {
  if (error instanceof ApiError) {
    const { requestId } = error.problem;
    return notificationText(
      requestId === undefined ? error.message : vscode.l10n.t('{0} (Request {1})', error.message, requestId),
    );
  }
  return notificationText(error instanceof Error ? error.message : String(error));
}

/** The same as an error for a program that ran a command: its message is fit to be shown, and nothing else is in it. */
export function plainError(error: unknown): Error {
  return new Error(isAbortError(error) ? vscode.l10n.t('Cancelled.') : problemText(error));
}

/** Tells the user once what went wrong and what to do; a cancelled operation is no problem and shows nothing. */
export function showProblem(error: unknown, log: Logger): void {
  if (isAbortError(error)) return;
  log.error(error instanceof ApiError ? `${error.problem.kind}: ${error.message}` : stackOf(error));
  // A refused key (401) moves the session, which tells it once.
  if (error instanceof ApiError && error.problem.kind === 'unauthorized' && error.problem.status === 401) return;
  const remedies = remediesFor(error);
  void vscode.window
    .showErrorMessage(problemText(error), ...Object.keys(remedies))
    .then((choice) => choice && remedies[choice]?.())
    .then(undefined, (failure: unknown) => showProblem(failure, log));
}

/** What a person calls a file: the last part of its path. */
export function fileName({ path }: { readonly path: string }): string {
  return path.split('/').at(-1) || path;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Tells how something ended, and offers what can be done about it, by the words on each button. */
export async function tellAndOffer(text: string, actions: Readonly<Record<string, () => unknown>>): Promise<void> {
  const choice = await vscode.window.showInformationMessage(notificationText(text), ...Object.keys(actions));
  if (choice !== undefined) await actions[choice]?.();
}
