import * as vscode from 'vscode';
import type { Session } from '../../services.ts';
import { commandIds } from '../common/commandIds.ts';

interface Entry extends vscode.QuickPickItem {
  readonly run?: () => unknown;
}

/** What a click on the status bar item offers. */
export async function showMenu(session: Session, refreshUsage: () => void): Promise<void> {
  const command = (id: string) => () => vscode.commands.executeCommand(id);
  const separator: Entry = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const entries: Entry[] = [];
  if (session.kind === 'signedIn') {
    entries.push(
      { label: '$(sync) Sync Now', run: command(commandIds.sync) },
      { label: '$(checklist) Check for Removed Reports', run: command(commandIds.fullWalk) },
      { label: '$(graph) Show Usage Details', run: command(commandIds.showUsage) },
      { label: '$(refresh) Refresh Usage', run: refreshUsage },
      separator,
    );
  }
  if (session.kind === 'keyRefused') entries.push({ label: '$(key) Replace Key…', run: command(commandIds.signIn) });
  entries.push({ label: '$(plug) Switch Connection…', run: command(commandIds.switchConnection) });
  if ('connection' in session) entries.push({ label: '$(sign-out) Sign Out', run: command(commandIds.signOut) });
  entries.push(
    separator,
    { label: '$(copy) Copy Support Information', run: command(commandIds.copySupportInformation) },
    { label: '$(output) Show Log', run: command(commandIds.showLog) },
  );
  const choice = await vscode.window.showQuickPick(entries, {
    title: 'connection' in session ? session.connection.name : 'Report Library',
    placeHolder: 'Choose an action',
  });
  await choice?.run?.();
}
