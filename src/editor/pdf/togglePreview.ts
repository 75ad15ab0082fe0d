import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { pdfPreviewType } from '../common/contributions.ts';
import { fileName, notificationText, RestrictedError } from '../common/messages.ts';
import { resourceSetting } from '../common/settings.ts';

/**
 * Makes the PDFs of a folder open in the preview, or stops that: writes or removes one entry of
 * `workbench.editorAssociations` in the workspace's settings. PDFs below a folder named `reports` need no entry.
 * @param pdf a PDF of the folder; without one the PDF in front says which folder, else it is the downloads folder
 * @throws Error in Restricted Mode and without an open folder
 */
export async function toggleFolderPreview(pdf: unknown): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new RestrictedError(
      vscode.l10n.t('Settings are not changed in Restricted Mode. Trust this workspace first, then try again.'),
    );
  const folder = folderOf(pdf instanceof vscode.Uri ? pdf : pdfInFront());
  const pattern = `**/${folder.replace(/[*?[\]{}]/g, '[$&]')}/**/*.pdf`;
  const configuration = vscode.workspace.getConfiguration('workbench');
  const written = configuration.inspect('editorAssociations')?.workspaceValue;
  const { [pattern]: own, ...others } = isObject(written) ? written : {};
  const isOn = own === pdfPreviewType;
  const after = isOn ? others : { ...others, [pattern]: pdfPreviewType };
  const value = Object.keys(after).length > 0 ? after : undefined;
  await configuration.update('editorAssociations', value, vscode.ConfigurationTarget.Workspace);
  const text = isOn
    ? vscode.l10n.t('PDFs in {0} no longer open in the preview.', folder)
    : vscode.l10n.t('PDFs in {0} now open in the preview.', folder);
  vscode.window.setStatusBarMessage(notificationText(text), 3_000);
}

function pdfInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isFile = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText;
  return isFile && /\.pdf$/i.test(input.uri.path) ? input.uri : undefined;
}

/** The path of a PDF's folder within the workspace; of one outside of it, or in its root, the folder's name. */
function folderOf(pdf: vscode.Uri | undefined): string {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (!first) throw new Error(vscode.l10n.t('No folder is open. Open a folder first, then try again.'));
  if (!pdf)
    return resourceSetting('reportLibrary.downloads.folder', first.uri).split(/[/\\]/).filter(Boolean).join('/');
  const folder = vscode.Uri.joinPath(pdf, '..');
  const path = vscode.workspace.asRelativePath(folder, false);
  return path === folder.fsPath || path === folder.path ? fileName(folder) : path;
}
