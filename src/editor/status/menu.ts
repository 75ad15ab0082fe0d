import * as vscode from 'vscode';
import type { Session } from '../../services.ts';
import { commandIds } from '../common/contributions.ts';

interface Entry extends vscode.QuickPickItem {
  readonly run?: () => unknown;
}

/** What a click on the status bar item offers. */
export async function showMenu(session: Session, refreshUsage: () => void, isWaitingLong: boolean): Promise<void> {
  const command = (id: string) => () => vscode.commands.executeCommand(id);
  const separator: Entry = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const entries: Entry[] = [];
  if (session.kind === 'signedIn' && isWaitingLong)
    entries.push({ label: vscode.l10n.t('$(debug-restart) Try Now'), run: command(commandIds.tryNow) }, separator);
  if (session.kind === 'signedIn') {
    entries.push(
      { label: vscode.l10n.t('$(sync) Sync Now'), run: command(commandIds.sync) },
      { label: vscode.l10n.t('$(checklist) Check for Removed Reports'), run: command(commandIds.fullWalk) },
      { label: vscode.l10n.t('$(graph) Show Usage Details'), run: command(commandIds.showUsage) },
      { label: vscode.l10n.t('$(refresh) Refresh Usage'), run: refreshUsage },
      separator,
    );
  }
  if (session.kind === 'keyRefused')
    entries.push({ label: vscode.l10n.t('$(key) Replace Key…'), run: command(commandIds.signIn) });
  entries.push({ label: vscode.l10n.t('$(plug) Switch Connection…'), run: command(commandIds.switchConnection) });
  if ('connection' in session)
    entries.push({ label: vscode.l10n.t('$(sign-out) Sign Out'), run: command(commandIds.signOut) });
  entries.push(
    separator,
    { label: vscode.l10n.t('$(copy) Copy Support Information'), run: command(commandIds.copySupportInformation) },
    { label: vscode.l10n.t('$(output) Show Log'), run: command(commandIds.showLog) },
  );
  const choice = await vscode.window.showQuickPick(entries, {
    title: 'connection' in session ? session.connection.name : 'Report Library',
    placeHolder: vscode.l10n.t('Choose an action'),
  });
  await choice?.run?.();
}
