import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DownloadFolder } from '../../downloads/folder.ts';
import type { FolderAt } from '../../downloads/lockFile.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import { folderProblem, templateProblem } from '../../downloads/path.ts';
import type { LinkSource } from '../../downloads/ports.ts';
import { present } from '../../files/guard.ts';
import { RestrictedError } from '../common/messages.ts';
import { resourceSetting } from '../common/settings.ts';

export interface DownloadRoot {
  /** The workspace folder, or the folder in the editor's own storage that stands for it. */
  readonly uri: vscode.Uri;
  readonly folder: string;
  readonly template: string;
  /** False when no folder is open and the PDFs go to the library folder. */
  readonly isWorkspace: boolean;
}

export interface ChosenFolder {
  readonly root: DownloadRoot;
  readonly folder: DownloadFolder;
  /** Where the reports of its batches come from. */
  readonly source: LinkSource;
}

const remembered = 'reportLibrary.downloads.root';

/** Lets the next download ask for its folder again. */
export async function forgetRoot(memory: vscode.Memento): Promise<void> {
  await memory.update(remembered, undefined);
}

/** The connection in use, as far as it decides where PDFs go: the demo has a folder of its own. */
export interface PdfsOf {
  readonly isDemo: boolean;
}

/**
 * The folder that PDFs belong to: asked for in a workspace of several folders, else the one chosen before, that of the
 * active editor, or the first one. Undefined when the person leaves.
 * @param globalFolder stands for a workspace folder while none is open
 * @param memory remembers in this workspace where downloads go
 * @param question asked each time, for anything but new downloads
 * @throws Error with what to do instead, such as in Restricted Mode
 */
export async function downloadRoot(
  globalFolder: vscode.Uri,
  memory: vscode.Memento,
  mayAsk: boolean,
  question: string | undefined,
  of: PdfsOf,
): Promise<DownloadRoot | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 0 && !vscode.workspace.isTrusted)
    throw new RestrictedError(
      vscode.l10n.t('PDFs can’t be saved in Restricted Mode. Trust this workspace, then try again.'),
    );
  const chosen = folders.length > 1 ? await chosenFolder(folders, memory, mayAsk, question) : folders[0];
  if (folders.length > 0 && !chosen) return undefined;
  const uri = chosen?.uri ?? globalFolder;
  if (uri.scheme !== 'file')
    throw new Error(
      vscode.l10n.t(
        'This workspace isn’t on a disk. To download PDFs, open a folder on this computer or a remote one.',
      ),
    );
  const root = rootAt(uri, chosen !== undefined, of);
  const problem = folderProblem(root.folder) ?? templateProblem(root.template);
  if (problem) throw new Error(vscode.l10n.t('{0} Change it in the settings of Report Library.', problem));
  return root;
}

async function chosenFolder(
  folders: readonly vscode.WorkspaceFolder[],
  memory: vscode.Memento,
  mayAsk: boolean,
  question: string | undefined,
): Promise<vscode.WorkspaceFolder | undefined> {
  const before = folders.find(({ uri }) => uri.toString() === memory.get(remembered));
  if (question === undefined && before) return before;
  if (!mayAsk) return usualFolder(folders);
  const placeHolder = question ?? vscode.l10n.t('Which folder should the PDFs go to?');
  const picked = await vscode.window.showWorkspaceFolderPick({ placeHolder });
  if (picked && question === undefined) await memory.update(remembered, picked.uri.toString());
  return picked;
}

/** The folder that is meant when nobody is asked. */
function usualFolder(folders: readonly vscode.WorkspaceFolder[]): vscode.WorkspaceFolder | undefined {
  const active = vscode.window.activeTextEditor?.document.uri ?? vscode.window.activeNotebookEditor?.notebook.uri;
  return (active && vscode.workspace.getWorkspaceFolder(active)) ?? folders[0];
}

/**
 * Folders that may hold PDFs, the usual one first; without an open folder the one that stands for it, if it is given.
 */
export function knownRoots(globalFolder: vscode.Uri | undefined, of: PdfsOf): DownloadRoot[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const usual = usualFolder(folders);
  const ordered = usual ? [usual, ...folders.filter((folder) => folder !== usual)] : [];
  const uris = ordered.length > 0 ? ordered.map(({ uri }) => uri) : globalFolder ? [globalFolder] : [];
  return uris.filter((uri) => uri.scheme === 'file').map((uri) => rootAt(uri, ordered.length > 0, of));
}

/** The downloads folders in workspace folders on this machine; none in Restricted Mode. */
export function workspaceDownloads(of: PdfsOf): FolderAt[] {
  if (!vscode.workspace.isTrusted) return [];
  const roots = knownRoots(undefined, of).filter(({ folder }) => folderProblem(folder) === undefined);
  return roots.map(({ uri, folder }) => ({ root: uri.fsPath, folder }));
}

function rootAt(uri: vscode.Uri, isWorkspace: boolean, { isDemo }: PdfsOf): DownloadRoot {
  const own = resourceSetting('reportLibrary.downloads.folder', uri).replace(/(?<![/\\])[/\\]+$/, '');
  const folder = isDemo ? `${own}-demo` : own;
  return { uri, folder, template: resourceSetting('reportLibrary.downloads.path', uri), isWorkspace };
}

/** The downloads folder of a root. */
export function downloadsFolderAt({ uri, folder, isWorkspace }: DownloadRoot): FolderAt {
  return { root: uri.fsPath, folder, isPrivate: !isWorkspace };
}

/** Absolute path of what a row of a root's lock names. */
export function fileOf({ uri, folder }: DownloadRoot, { path }: LockRow): string {
  return join(uri.fsPath, folder, path);
}

/** A PDF that the lock file of a folder of this window names. */
export interface NamedPdf {
  readonly root: DownloadRoot;
  readonly row: LockRow;
}

/** A downloaded PDF of this window. */
export interface LocalPdf extends NamedPdf {
  readonly uri: vscode.Uri;
  /** Relative to the workspace folder. */
  readonly path: string;
}

/** Those whose file is there. */
export async function thereOf(wanted: readonly NamedPdf[]): Promise<LocalPdf[]> {
  const there = await present(wanted.map(({ root, row }) => fileOf(root, row)));
  return wanted.flatMap(({ root, row }) => {
    const file = fileOf(root, row);
    return there.has(file) ? { root, row, uri: vscode.Uri.file(file), path: `${root.folder}/${row.path}` } : [];
  });
}
