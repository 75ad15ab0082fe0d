import * as vscode from 'vscode';
import { commandIds } from '../common/contributions.ts';
import { notificationText } from '../common/messages.ts';

const signIn = vscode.l10n.t('Sign In…');
const help = vscode.l10n.t('Set Up a Keyring');
const helpPage = 'https://code.visualstudio.com/docs/configure/settings-sync#_troubleshooting-keychain-issues';

/** Tells a person about a key that the keyring lost, once per window, since the remedy is the same each time. */
export class KeyringNotices {
  #isTold = false;

  /** A key that was just entered was not kept. The way on is to use it for this session only, which is what happens. */
  notKept(): void {
    this.#tell(
      vscode.l10n.t(
        "The editor's secret storage did not keep your key, usually because no keyring is running. You are signed in for this session only, and will be asked again after a restart.",
      ),
      vscode.l10n.t('This Session Only'),
      help,
    );
  }

  /** A key that was kept is gone: locked away, reset, or another profile is open. */
  lost(name: string): void {
    this.#tell(
      vscode.l10n.t(
        "The editor's secret storage no longer has the key of {0}. Sign in again; if this happens after each restart, no keyring is running, and a key is kept for one session only.",
        notificationText(name),
      ),
      signIn,
      help,
    );
  }

  #tell(text: string, ...buttons: string[]): void {
    if (this.#isTold) return;
    this.#isTold = true;
    void vscode.window.showWarningMessage(text, ...buttons).then((choice) => {
      // The editor's own page on keyrings that are missing or locked.
      if (choice === help) void vscode.env.openExternal(vscode.Uri.parse(helpPage));
      if (choice === signIn) void vscode.commands.executeCommand(commandIds.signIn);
    });
  }
}

export const keyringNotices = new KeyringNotices();
