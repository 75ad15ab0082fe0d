import * as vscode from 'vscode';
import { commandIds } from '../common/contributions.ts';
import { KeyringNotices } from './keyringNotices.ts';

const helpPage = 'https://code.visualstudio.com/docs/configure/settings-sync#_troubleshooting-keychain-issues';

/** The notices of this window. */
export const keyringNotices = new KeyringNotices({
  warn: (text, ...buttons) => vscode.window.showWarningMessage(text, ...buttons),
  signIn: () => vscode.commands.executeCommand(commandIds.signIn),
  help: () => vscode.env.openExternal(vscode.Uri.parse(helpPage)),
});
