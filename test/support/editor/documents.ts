import * as vscode from 'vscode';

/** Opens a file of the workspace that a test runs in. */
export async function openFile(name: string): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('No folder is open.');
  return vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, name));
}

/** The place of a text in a document, `inside` characters after its beginning. */
export function placeOf(document: vscode.TextDocument, text: string, inside = 1): vscode.Position {
  const at = document.getText().indexOf(text);
  if (at < 0) throw new Error(`${text} is not in the document.`);
  return document.positionAt(at + inside);
}

/** What a hover at a place says, all providers together, each part with the commands that it may run. */
export async function hoversAt(
  uri: vscode.Uri,
  position: vscode.Position,
): Promise<readonly { readonly text: string; readonly commands: readonly string[] }[]> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => {
      if (!(content instanceof vscode.MarkdownString)) throw new Error('A hover is not Markdown.');
      const trust = content.isTrusted;
      return {
        text: readable(content.value),
        commands: typeof trust === 'object' ? trust.enabledCommands : trust ? ['all'] : [],
      };
    });
}

/** Markdown with its entities as the signs that they stand for. */
function readable(markdown: string): string {
  return markdown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
