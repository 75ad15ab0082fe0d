import * as vscode from 'vscode';

const kinds = {
  csv: { extension: 'csv', label: 'CSV' },
  markdown: { extension: 'md', label: 'Markdown' },
} as const;

/**
 * Writes a table to a file that the person chooses; false when the person leaves. Says once where it went and that the
 * data is licensed (LIM-5); nothing opens by itself.
 */
export async function saveTable(name: string, format: keyof typeof kinds, content: string): Promise<boolean> {
  const { extension, label } = kinds[format];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.${extension}`) }),
    filters: { [label]: [extension] },
    title: `Save as ${label}`,
  });
  if (!uri) return false;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(content));
  void tellSaved(uri);
  return true;
}

async function tellSaved(uri: vscode.Uri): Promise<void> {
  const file = uri.path.split('/').at(-1) ?? '';
  const text = `Saved ${file}. The data is licensed to you: it is not for redistribution.`;
  if ((await vscode.window.showInformationMessage(text, 'Open')) === 'Open') {
    await vscode.commands.executeCommand('vscode.open', uri);
  }
}
