import * as vscode from 'vscode';
import { isRecord } from '../common/arguments.ts';
import { pdfPreviewType } from '../common/contributions.ts';
import { notificationText } from '../common/messages.ts';
import { usualPdfEditor } from '../common/openPdfFile.ts';
import { resourceSetting } from '../common/settings.ts';

/** In a workspace: true once it was offered there, `never` once a person does not want it. */
const offeredKey = 'reportLibrary.pdf.previewOffered';

/** In a workspace: the patterns that we wrote into its settings, so that no other goes. */
const ownKey = 'reportLibrary.pdf.ownPatterns';

/**
 * Offers to open the PDFs of the downloads folders in our preview, where they open as text: never where another editor
 * takes PDFs, or in Restricted Mode.
 * @param isShown true when one is shown as text just now; else it is offered once in a workspace
 */
export async function offerPreview(memory: vscode.Memento, isShown: boolean): Promise<void> {
  const { patterns, folders } = downloadsFolders();
  const isWanted = vscode.workspace.isTrusted && patterns.length > 0 && isOurs() && !patterns.every(isAssociated);
  const offered = memory.get(offeredKey);
  if (!isWanted || offered === 'never' || (offered && !isShown)) return;
  await memory.update(offeredKey, true);
  const text = vscode.l10n.t(
    'PDFs in {0} would open as text. Open them in the preview of Report Library? This adds {1} to workbench.editorAssociations in {2}.',
    folders,
    patterns.join(', '),
    settingsFile(),
  );
  const [open, never] = [vscode.l10n.t('Open in Preview'), vscode.l10n.t('Don’t Ask Again')];
  const buttons = [open, vscode.l10n.t('Not Now'), never];
  const choice = await vscode.window.showInformationMessage(notificationText(text), ...buttons);
  if (choice === open) await startPreview(memory);
  if (choice === never) await memory.update(offeredKey, 'never');
}

/**
 * Opens the PDFs of the downloads folders in our preview from now on, those shown as text too.
 * @throws Error in Restricted Mode, without a folder, and where another editor takes PDFs
 */
export async function startPreview(memory: vscode.Memento): Promise<void> {
  const { patterns, folders } = downloadsFolders();
  mustBeTrusted();
  if (patterns.length === 0) throw new Error(vscode.l10n.t('No folder is open. Open a folder first, then try again.'));
  if (!isOurs()) {
    throw new Error(
      vscode.l10n.t('Another editor opens PDFs here: an extension, or your settings, name one. Nothing was changed.'),
    );
  }
  const added = patterns.filter((pattern) => !isAssociated(pattern));
  const own = new Set([...memory.get<readonly string[]>(ownKey, []), ...added]);
  if (added.length > 0) await memory.update(ownKey, [...own]);
  await change((entries) => ({ ...entries, ...Object.fromEntries(added.map((one) => [one, pdfPreviewType])) }));
  await reopenTexts();
  const undo = vscode.l10n.t('Undo');
  const text = vscode.l10n.t('PDFs in {0} now open in the preview.', folders);
  if ((await vscode.window.showInformationMessage(notificationText(text), undo)) === undo) await stopPreview(memory);
}

/**
 * Takes back what {@link startPreview} wrote, and offers it no more; associations that a person wrote stay.
 * @throws Error in Restricted Mode
 */
export async function stopPreview(memory: vscode.Memento): Promise<void> {
  mustBeTrusted();
  // Version 0.1.0 did not remember what it wrote.
  const own = memory.get<readonly string[]>(ownKey, downloadsFolders().patterns);
  const isOther = ([pattern, type]: [string, unknown]) => type !== pdfPreviewType || !own.includes(pattern);
  await change((entries) => Object.fromEntries(Object.entries(entries).filter(isOther)));
  await memory.update(ownKey, []);
  await memory.update(offeredKey, 'never');
  vscode.window.setStatusBarMessage(vscode.l10n.t('PDFs open as before'), 3_000);
}

function mustBeTrusted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new Error(
    vscode.l10n.t('Settings are not changed in Restricted Mode. Trust this workspace first, then try again.'),
  );
}

/** Patterns that name the PDFs of the downloads folders of this workspace, and the folders in words. */
function downloadsFolders(): { readonly patterns: readonly string[]; readonly folders: string } {
  const names = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
    resourceSetting('reportLibrary.downloads.folder', uri).split(/[/\\]/).filter(Boolean).join('/'),
  );
  const unique = [...new Set(names.filter((name) => name !== ''))];
  // A character in brackets is that character and no wildcard.
  const patterns = unique.map((name) => `**/${name.replace(/[*?[\]{}]/g, '[$&]')}/**/*.pdf`);
  return { patterns, folders: unique.join(', ') };
}

function isOurs(): boolean {
  const editor = usualPdfEditor();
  return editor.kind === 'named' && editor.viewType === pdfPreviewType;
}

function isAssociated(pattern: string): boolean {
  const all: unknown = vscode.workspace.getConfiguration('workbench').get('editorAssociations');
  return isRecord(all) && all[pattern] === pdfPreviewType;
}

/** The file that holds the settings of this workspace, as a person knows it. */
function settingsFile(): string {
  const file = vscode.workspace.workspaceFile;
  return file?.scheme === 'file' ? (file.path.split('/').at(-1) ?? '') : '.vscode/settings.json';
}

async function change(make: (entries: Readonly<Record<string, unknown>>) => object): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('workbench');
  const before = configuration.inspect('editorAssociations')?.workspaceValue;
  const after = make(isRecord(before) ? before : {});
  const value = Object.keys(after).length > 0 ? after : undefined;
  await configuration.update('editorAssociations', value, vscode.ConfigurationTarget.Workspace);
}

/** Shows PDFs of this workspace that are open as text in the preview instead. */
async function reopenTexts(): Promise<void> {
  for (const { viewColumn, tabs } of vscode.window.tabGroups.all) {
    for (const tab of tabs) {
      if (!(tab.input instanceof vscode.TabInputText) || !/\.pdf$/i.test(tab.input.uri.path)) continue;
      if (!vscode.workspace.getWorkspaceFolder(tab.input.uri) || tab.isDirty) continue;
      const { uri } = tab.input;
      await vscode.window.tabGroups.close(tab);
      await vscode.commands.executeCommand('vscode.open', uri, { viewColumn, preview: tab.isPreview });
    }
  }
}
