import * as vscode from 'vscode';
import { isRecord } from '../common/arguments.ts';
import { notificationText } from '../common/messages.ts';
import type { DocumentPorts } from './ports.ts';

const memoryKey = 'documents.toldLicence';
const dataWranglerId = 'ms-toolsai.datawrangler';
const licence = vscode.l10n.t('The data is licensed to you and not for redistribution.');

/** Tells how an export ended. Nothing opens by itself; the first time it says what the licence asks (LIM-5). */
export async function tellExported({ memory }: DocumentPorts, rows: number, target: vscode.Uri): Promise<void> {
  const isFirst = memory.get(memoryKey) !== true;
  if (isFirst) await memory.update(memoryKey, true);
  const name = vscode.workspace.asRelativePath(target);
  const what = rows === 1 ? vscode.l10n.t('1 report') : vscode.l10n.t('{0} reports', rows.toLocaleString());
  const text = vscode.l10n.t('Exported {0} to {1}.{2}', what, name, isFirst ? ` ${licence}` : '');
  const wrangler = dataWrangler();
  const actions: Readonly<Record<string, () => Thenable<unknown>>> = {
    // Parquet is no text; the editor offers what can open it.
    [vscode.l10n.t('Open')]: () => vscode.commands.executeCommand('vscode.open', target),
    [vscode.l10n.t('Reveal')]: () => reveal(target),
    ...(wrangler && { [vscode.l10n.t('Open in Data Wrangler')]: () => wrangler(target) }),
  };
  void vscode.window.showInformationMessage(notificationText(text), ...Object.keys(actions)).then((choice) => {
    if (choice !== undefined) void actions[choice]?.();
  });
}

function reveal(target: vscode.Uri): Thenable<unknown> {
  const isInside = vscode.workspace.getWorkspaceFolder(target) !== undefined;
  return vscode.commands.executeCommand(isInside ? 'revealInExplorer' : 'revealFileInOS', target);
}

/** How to open a file in Data Wrangler: by the command that its own manifest names; undefined when it is not installed. */
function dataWrangler(): ((file: vscode.Uri) => Thenable<unknown>) | undefined {
  const manifest: unknown = vscode.extensions.getExtension(dataWranglerId)?.packageJSON;
  const contributes = isRecord(manifest) ? manifest.contributes : undefined;
  const menus = isRecord(contributes) ? contributes.menus : undefined;
  const entries = isRecord(menus) ? menus['explorer/context'] : undefined;
  const [entry]: unknown[] = Array.isArray(entries) ? entries : [];
  const command = isRecord(entry) ? entry.command : undefined;
  return typeof command === 'string' ? (file) => vscode.commands.executeCommand(command, file) : undefined;
}
