import * as vscode from 'vscode';
import { folderProblem, templateProblem } from '../../downloads/path.ts';
import { resourceSetting } from '../common/configValue.ts';

/** Where PDFs of this window go. */
export interface DownloadRoot {
  /** The workspace folder, or the folder in the editor's own storage that stands for it. */
  readonly uri: vscode.Uri;
  readonly folder: string;
  readonly template: string;
  /** False when no folder is open and the PDFs go to the library folder. */
  readonly isWorkspace: boolean;
}

/**
 * The folder that PDFs belong to. Asks when a workspace has several folders and a person can answer; else the folder
 * of the active editor counts, or the first one. Undefined when the person leaves.
 * @throws Error with what to do instead, in Restricted Mode, in a virtual or read-only workspace, and for settings
 * that name no usable place.
 */
export async function downloadRoot(
  globalFolder: vscode.Uri,
  mayAsk: boolean,
  question = 'Which folder should the PDFs go to?',
): Promise<DownloadRoot | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 0 && !vscode.workspace.isTrusted) {
    throw new Error('PDFs are not written in Restricted Mode. Trust this workspace first, then try again.');
  }
  const chosen =
    folders.length > 1 && mayAsk
      ? await vscode.window.showWorkspaceFolderPick({ placeHolder: question })
      : usualFolder(folders);
  if (folders.length > 0 && !chosen) return undefined;
  const uri = chosen?.uri ?? globalFolder;
  if (uri.scheme !== 'file') {
    throw new Error('This workspace is not on a disk. Open a folder on this machine or a remote one to download PDFs.');
  }
  const folder = resourceSetting('reportLibrary.downloads.folder', uri).replace(/[/\\]+$/, '');
  const template = resourceSetting('reportLibrary.downloads.path', uri);
  const problem = folderProblem(folder) ?? templateProblem(template);
  if (problem) throw new Error(`${problem} Change it in the settings of Report Library.`);
  return { uri, folder, template, isWorkspace: chosen !== undefined };
}

/** The folder that is meant when nobody is asked. */
export function usualFolder(folders: readonly vscode.WorkspaceFolder[]): vscode.WorkspaceFolder | undefined {
  const active = vscode.window.activeTextEditor?.document.uri ?? vscode.window.activeNotebookEditor?.notebook.uri;
  return (active && vscode.workspace.getWorkspaceFolder(active)) ?? folders[0];
}

/**
 * Folders that may hold PDFs, the usual one first; without an open folder the one that stands for it, if it is given.
 * What cannot be written to can still be read from.
 */
export function knownRoots(globalFolder: vscode.Uri | undefined): DownloadRoot[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const usual = usualFolder(folders);
  const ordered = usual ? [usual, ...folders.filter((folder) => folder !== usual)] : [];
  const uris = ordered.length > 0 ? ordered.map(({ uri }) => uri) : globalFolder ? [globalFolder] : [];
  return uris
    .filter((uri) => uri.scheme === 'file')
    .map((uri) => ({
      uri,
      folder: resourceSetting('reportLibrary.downloads.folder', uri).replace(/[/\\]+$/, ''),
      template: resourceSetting('reportLibrary.downloads.path', uri),
      isWorkspace: ordered.length > 0,
    }));
}
