import * as vscode from 'vscode';
import { commandIds } from '../common/commandIds.ts';
import { notificationText } from '../common/plainText.ts';

/** The editor's own page on keyrings that are missing or locked. */
const help = 'https://code.visualstudio.com/docs/configure/settings-sync#_troubleshooting-keychain-issues';

let isTold = false;

/** The keyring did not keep a key that was just entered. Told once in a window: the way on is the same each time. */
export function tellKeyNotKept(): void {
  if (isTold) return;
  isTold = true;
  const goOn = 'This Session Only';
  const open = 'Set Up a Keyring';
  void vscode.window
    .showWarningMessage(
      "The editor's secret storage did not keep your key, usually because no keyring is running. You are signed in for " +
        'this session only, and will be asked again after a restart.',
      goOn,
      open,
    )
    .then((choice) => {
      if (choice === open) void vscode.env.openExternal(vscode.Uri.parse(help));
    });
}

/** A key that was kept is gone from the keyring: it was locked away, reset, or another profile is open. */
export function tellKeyLost(name: string): void {
  if (isTold) return;
  isTold = true;
  const signIn = 'Sign In…';
  const open = 'Set Up a Keyring';
  void vscode.window
    .showWarningMessage(
      `The editor's secret storage no longer has the key of ${notificationText(name)}. Sign in again; if this happens ` +
        'after each restart, no keyring is running, and a key holds for one session only.',
      signIn,
      open,
    )
    .then((choice) => {
      if (choice === signIn) void vscode.commands.executeCommand(commandIds.signIn);
      if (choice === open) void vscode.env.openExternal(vscode.Uri.parse(help));
    });
}
