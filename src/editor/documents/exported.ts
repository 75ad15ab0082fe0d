import * as vscode from 'vscode';
import { notificationText } from '../common/plainText.ts';
import { isRecord } from '../common/reportArguments.ts';
import type { DocumentPorts } from './ports.ts';

const memoryKey = 'documents.toldLicence';
const dataWranglerId = 'ms-toolsai.datawrangler';
const licence = 'The data is licensed to you and not for redistribution.';

/** Tells how an export ended. Nothing opens by itself; the first time it says what the licence asks (LIM-5). */
export async function tellExported({ memory }: DocumentPorts, rows: number, target: vscode.Uri): Promise<void> {
  const isFirst = memory.get(memoryKey) !== true;
  if (isFirst) await memory.update(memoryKey, true);
  const name = vscode.workspace.asRelativePath(target);
  const what = rows === 1 ? '1 report' : `${rows.toLocaleString()} reports`;
  const text = `Exported ${what} to ${name}.${isFirst ? ` ${licence}` : ''}`;
  const wrangler = dataWrangler();
  const actions: Readonly<Record<string, () => Thenable<unknown>>> = {
    // Parquet is no text; the editor offers what can open it.
    Open: () => vscode.commands.executeCommand('vscode.open', target),
    Reveal: () => reveal(target),
    ...(wrangler && { 'Open in Data Wrangler': () => wrangler(target) }),
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
  const contributes = isRecord(manifest) && 'contributes' in manifest ? manifest.contributes : undefined;
  const menus = isRecord(contributes) && 'menus' in contributes ? contributes.menus : undefined;
  const entries: unknown = isRecord(menus) && 'explorer/context' in menus ? menus['explorer/context'] : undefined;
  const [entry]: unknown[] = Array.isArray(entries) ? entries : [];
  const command = isRecord(entry) && 'command' in entry ? entry.command : undefined;
  return typeof command === 'string' ? (file) => vscode.commands.executeCommand(command, file) : undefined;
}
