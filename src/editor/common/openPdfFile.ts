import * as vscode from 'vscode';
import { pdfPreviewType } from './contributions.ts';
import { pdfEditor } from './pdfEditors.ts';

const ownId = 'report-library.report-library';

/** Opens a PDF in the person's own PDF editor if one is installed, else in our read-only preview. */
export async function openPdfFile(file: vscode.Uri): Promise<void> {
  const associations = vscode.workspace.getConfiguration('workbench').get('editorAssociations');
  const choice = pdfEditor(vscode.extensions.all, associations, { id: ownId, viewType: pdfPreviewType });
  if (choice.kind === 'usual') await vscode.commands.executeCommand('vscode.open', file);
  else await vscode.commands.executeCommand('vscode.openWith', file, choice.viewType);
}
