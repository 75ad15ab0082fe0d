import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { pdfPreviewType } from '../common/contributions.ts';
import { fileName, notificationText, RestrictedError } from '../common/messages.ts';
import { isBelow, usualPdfEditor } from '../common/openPdfFile.ts';
import { resourceSetting } from '../common/settings.ts';

/**
 * In a workspace: true once it was offered there, `never` once a person wants no more offers, and `text` once they took
 * the preview back, so that PDFs open as the editor opens them.
 */
const offeredKey = 'reportLibrary.pdf.previewOffered';

/** In a workspace: the patterns that we wrote into its settings, so that no other goes. */
const ownKey = 'reportLibrary.pdf.ownPatterns';

/**
 * Offers, once in a workspace, that the editor opens the PDFs of the downloads folders in our preview by itself: never
 * where another editor takes PDFs, or in Restricted Mode.
 */
export async function offerPreview(memory: vscode.Memento): Promise<void> {
  const { patterns, folders } = downloadsFolders();
  const isWanted = mayTake(memory) && patterns.length > 0 && !patterns.every(isAssociated);
  if (!isWanted || memory.get(offeredKey)) return;
  await memory.update(offeredKey, true);
  const text = vscode.l10n.t(
    'PDFs in {0} would open as text, so Report Library moves them to its preview. Open them there directly? This adds {1} to workbench.editorAssociations in {2}.',
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
 * Shows one of our PDFs in the preview instead of as text, in the place of its tab, and offers that the editor does so.
 * Left alone: where another editor takes PDFs, in Restricted Mode, after a person took the preview back, and a tab that
 * they chose to see as text.
 */
export async function replaceText(tab: vscode.Tab, memory: vscode.Memento): Promise<void> {
  if (!mayTake(memory) || chosenAsText.has(tab)) return;
  await showInPreview(tab);
  await offerPreview(memory);
}

function mayTake(memory: vscode.Memento): boolean {
  return vscode.workspace.isTrusted && isOurs() && memory.get(offeredKey) !== 'text';
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
  await memory.update(offeredKey, true);
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
  await memory.update(offeredKey, 'text');
  vscode.window.setStatusBarMessage(vscode.l10n.t('PDFs open as before'), 3_000);
}

function mustBeTrusted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new RestrictedError(
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
  return isObject(all) && all[pattern] === pdfPreviewType;
}

/** The file that holds the settings of this workspace, as a person knows it. */
function settingsFile(): string {
  const file = vscode.workspace.workspaceFile;
  return file?.scheme === 'file' ? fileName(file) : '.vscode/settings.json';
}

async function change(make: (entries: Readonly<Record<string, unknown>>) => object): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('workbench');
  const before = configuration.inspect('editorAssociations')?.workspaceValue;
  const after = make(isObject(before) ? before : {});
  const value = Object.keys(after).length > 0 ? after : undefined;
  await configuration.update('editorAssociations', value, vscode.ConfigurationTarget.Workspace);
}

/** Shows PDFs of the downloads folders that are open as text in the preview instead, and leaves in front what is. */
async function reopenTexts(): Promise<void> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
    vscode.Uri.joinPath(uri, resourceSetting('reportLibrary.downloads.folder', uri)),
  );
  for (const tab of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
    const pdf = textPdf(tab);
    if (tab.isActive && pdf && folders.some((folder) => isBelow(pdf, folder))) await showInPreview(tab);
  }
}

/** The PDF that a tab shows as text. */
function textPdf({ input }: vscode.Tab): vscode.Uri | undefined {
  return input instanceof vscode.TabInputText && /\.pdf$/i.test(input.uri.path) ? input.uri : undefined;
}

/** Tabs that are being replaced: one may come to the front once more meanwhile. */
const leaving = new WeakSet<vscode.Tab>();

async function showInPreview(tab: vscode.Tab): Promise<void> {
  const uri = textPdf(tab);
  if (!uri || tab.isDirty || leaving.has(tab)) return;
  leaving.add(tab);
  const { group, isPreview: preview } = tab;
  // A file that a click in a list opens as a preview leaves the keyboard in the list.
  const options = { viewColumn: group.viewColumn, preview, preserveFocus: preview || !group.isActive };
  try {
    await vscode.commands.executeCommand('vscode.openWith', uri, pdfPreviewType, options);
    // A tab that was open for a look is gone by then.
    const left = group.tabs.find((one) => textPdf(one)?.toString() === uri.toString());
    if (left) await vscode.window.tabGroups.close(left, true);
  } finally {
    leaving.delete(tab);
  }
}

/** Tabs that a person made texts of, by Reopen Editor With… */
const chosenAsText = new WeakSet<vscode.Tab>();

/** A preview has closed: if a kept text tab of its PDF took its place in front of its column, a person wanted that. */
export async function noteChoice(pdf: vscode.Uri, column: vscode.ViewColumn | undefined): Promise<void> {
  const tab = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn === column)?.activeTab;
  // One that is open for a look came by another click on the file.
  if (tab && !tab.isPreview && textPdf(tab)?.toString() === pdf.toString()) chosenAsText.add(tab);
}
