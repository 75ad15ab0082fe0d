import * as vscode from 'vscode';
import type { Problem } from '../../api/transport/errors.ts';
import { commandIds } from '../common/contributions.ts';
import { notificationText } from '../common/messages.ts';

/** Says once that the key is no longer accepted, with the one action that helps (AUTH-3). What is here stays readable. */
export function tellKeyRefused({ cause }: Problem): void {
  const replace = vscode.l10n.t('Replace Key…');
  const text = vscode.l10n.t('{0} What was loaded stays readable.', notificationText(cause));
  void vscode.window.showWarningMessage(text, replace).then((choice) => {
    if (choice === replace) void vscode.commands.executeCommand(commandIds.signIn);
  });
}
