import * as vscode from 'vscode';
import { ApiError } from '../../api/transport/errors.ts';
import { isAbortError, maxWait } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { plainText } from '../../base/words.ts';
import { commandIds } from './contributions.ts';

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

/** What a problem offers besides the log: the one command that most likely helps. */
function remedy(error: unknown): { title: string; command: string } | undefined {
  if (error instanceof RestrictedError)
    return { title: vscode.l10n.t('Manage Workspace Trust'), command: 'workbench.trust.manage' };
  if (!(error instanceof ApiError)) return undefined;
  const { kind, retryAfter = 0 } = error.problem;
  if (retryAfter > maxWait) return { title: vscode.l10n.t('Try Again'), command: commandIds.tryNow };
  return kind === 'unauthorized' ? { title: vscode.l10n.t('Sign In…'), command: commandIds.signIn } : undefined;
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
  const offered = remedy(error);
  // A refused key (401) moves the session, which tells it once.
  if (error instanceof ApiError && error.problem.kind === 'unauthorized' && error.problem.status === 401) return;
  const showLog = vscode.l10n.t('Show Log');
  const buttons = offered ? [offered.title, showLog] : [showLog];
  void vscode.window.showErrorMessage(problemText(error), ...buttons).then((choice) => {
    if (choice === showLog) void vscode.commands.executeCommand(commandIds.showLog);
    else if (offered && choice === offered.title) void vscode.commands.executeCommand(offered.command);
  });
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
