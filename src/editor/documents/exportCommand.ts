import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { onDisk } from '../../downloads/disk.ts';
import type { Encoder, OwnColumns } from '../../export/rows.ts';
import { type ExportFormat, encoderFor, extensions, reportPages, writeTable } from '../../export/writeTable.ts';
import { starredReports } from '../common/favouriteMarks.ts';
import { labelText, tellAndOffer, withCountedProgress } from '../common/messages.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import type { DocumentPorts } from './ports.ts';

const memoryKey = 'documents.exportFormat';

interface FormatPick extends vscode.QuickPickItem {
  readonly form: ExportFormat;
}

const formats: readonly FormatPick[] = [
  {
    form: 'csv',
    label: 'CSV',
    description: vscode.l10n.t('bulk delivery format'),
    detail: vscode.l10n.t('The 50 columns exactly as the service writes them'),
  },
  {
    form: 'spreadsheet',
    label: vscode.l10n.t('CSV for Spreadsheets'),
    description: 'Excel, LibreOffice',
    detail: vscode.l10n.t('The same, with an apostrophe before text that would run as a formula'),
  },
  {
    form: 'jsonl',
    label: 'JSON Lines',
    description: vscode.l10n.t('typed'),
    detail: vscode.l10n.t('The 50 columns and report_id: numbers, true, false and null'),
  },
  {
    form: 'parquet',
    label: 'Parquet',
    description: vscode.l10n.t('typed'),
    detail: vscode.l10n.t('The 50 columns and report_id: nullable booleans, dates as dates'),
  },
];

/** What is exported: ids in the order of the lists, and what a person calls them. */
interface ExportScope {
  readonly label: string;
  ids(): Promise<readonly number[]>;
}

/**
 * Export Reports…: asks what, in which form and where to, then writes the table page by page from the library on this
 * machine. Asks the service nothing.
 */
export async function exportReports(ports: DocumentPorts, args: readonly unknown[]): Promise<void> {
  const scope = await chooseScope(ports, args);
  if (!scope) return;
  const format = await pickForm(formats, ports.memory.get(memoryKey), {
    title: vscode.l10n.t('Export Reports'),
    placeHolder: vscode.l10n.t('{0}: choose a format', scope.label),
  });
  const ids = format && (await scope.ids());
  if (!ids) return;
  if (ids.length === 0)
    throw new Error(vscode.l10n.t('There are no reports to export. Choose some, or clear the filter, then try again.'));
  const own = await chooseOwnColumns(ports, ids);
  if (own === undefined) return;
  const target = await vscode.window.showSaveDialog(saveOptions(format));
  if (!target) return;
  if (target.scheme !== 'file')
    throw new Error(
      vscode.l10n.t('Tables can only be saved to a disk. Choose a folder on this computer or on the remote one.'),
    );
  await ports.memory.update(memoryKey, format.form);
  const rows = await write(ports, ids, await encoderFor(format.form, own ?? undefined), target);
  await tellExported(ports, rows, target);
}

async function write(
  { services }: DocumentPorts,
  ids: readonly number[],
  encoder: Encoder,
  target: vscode.Uri,
): Promise<number> {
  const { library } = await services.library();
  const title = counted(ids.length, l10n.later('Exporting 1 report'), l10n.later('Exporting {0} reports'));
  return withCountedProgress(title, (signal, onProgress) => {
    const read = async (page: readonly number[]) => {
      const stored = await library.withSignal(signal).storedReports(page);
      return stored.map(({ report }) => report);
    };
    const options = { file: target.fsPath, encoder, pages: reportPages(ids, read), signal };
    return onDisk(() => writeTable({ ...options, onProgress: (rows) => onProgress(rows, ids.length) }));
  });
}

/**
 * Asks, where favourites with a note or tags are among the reports, whether those become two more columns: the file may
 * go to others. Null for no, undefined when the person leaves.
 */
async function chooseOwnColumns(
  { favourites }: DocumentPorts,
  ids: readonly number[],
): Promise<OwnColumns | null | undefined> {
  const starred = await favourites.look();
  const said = new Map(ids.map((report_id) => [report_id, starred.of({ company_key: '', report_id })]));
  if (![...said.values()].some((item) => item && (item.note !== '' || item.tags.length > 0))) return null;
  const add = vscode.l10n.t('Add Columns for Notes and Tags');
  const items = [
    { label: vscode.l10n.t('Leave Out My Notes and Tags'), detail: vscode.l10n.t('The file holds metadata alone.') },
    { label: add, detail: vscode.l10n.t('Two more columns: tags, note') },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Export Reports') });
  if (chosen?.label !== add) return chosen && null;
  return (id) => ({ tags: said.get(id)?.tags.join(', ') ?? '', note: said.get(id)?.note ?? '' });
}

/** What a menu was opened on; else the person chooses between the selection, the filter's result and everything. */
async function chooseScope(ports: DocumentPorts, args: readonly unknown[]): Promise<ExportScope | undefined> {
  const given = args.length > 0 && args[0] !== undefined ? await ports.chosenIds(args) : [];
  if (given.length > 0) return { label: reportCount(given.length), ids: async () => given };
  const { library } = await ports.services.library();
  const { query, words } = await ports.filter();
  const selected = await ports.chosenIds([ports.treeDrag.selection]);
  const { listed } = await library.totals();
  const scopes: (ExportScope & vscode.QuickPickItem)[] = [];
  const offer = (label: string, icon: string, description: string, ids: ExportScope['ids']) =>
    scopes.push({ label, iconPath: new vscode.ThemeIcon(icon), description, ids });
  if (words !== '') {
    const description = `${reportCount(await library.countReports(query))} · ${labelText(words)}`;
    offer(vscode.l10n.t('Filtered Reports'), 'filter', description, () => library.reportIds(query));
  }
  const favourites = await ports.favourites.look();
  if (favourites.items.length > 0) {
    const starred = { among: [starredReports(favourites)] };
    const description = reportCount(await library.countReports(starred));
    offer(vscode.l10n.t('Favourites'), 'star-full', description, () => library.reportIds(starred));
  }
  if (selected.length > 0) {
    const description = reportCount(selected.length);
    offer(vscode.l10n.t('Selected Reports'), 'list-selection', description, async () => selected);
  }
  const all = vscode.l10n.t('All Reports of the Library');
  offer(all, 'library', reportCount(listed), () => library.reportIds({}));
  return vscode.window.showQuickPick(scopes, {
    title: vscode.l10n.t('Export Reports'),
    placeHolder: vscode.l10n.t('Which reports?'),
  });
}

function saveOptions({ form, label }: FormatPick): vscode.SaveDialogOptions {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `report-metadata.${extensions[form]}`;
  return {
    title: vscode.l10n.t('Export Reports'),
    saveLabel: vscode.l10n.t('Export'),
    filters: { [label]: [extensions[form]] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  };
}

function reportCount(count: number): string {
  return counted(count, l10n.later('1 report'), l10n.later('{0} reports'));
}

const licenceKey = 'documents.toldLicence';
const dataWranglerId = 'ms-toolsai.datawrangler';
const licence = vscode.l10n.t('The data is licensed to you and not for redistribution.');

/** What the licence asks (LIM-5), behind a blank, for the message of the first export; empty from then on. */
export async function licenceOnce({ memory }: DocumentPorts): Promise<string> {
  if (memory.get(licenceKey) === true) return '';
  await memory.update(licenceKey, true);
  return ` ${licence}`;
}

/** Tells how an export ended. Nothing opens by itself. */
async function tellExported(ports: DocumentPorts, rows: number, target: vscode.Uri): Promise<void> {
  const name = vscode.workspace.asRelativePath(target);
  const text = vscode.l10n.t('Exported {0} to {1}.{2}', reportCount(rows), name, await licenceOnce(ports));
  const wrangler = dataWrangler();
  void tellAndOffer(text, {
    // Parquet is no text; the editor offers what can open it.
    [vscode.l10n.t('Open')]: () => vscode.commands.executeCommand('vscode.open', target),
    [vscode.l10n.t('Reveal')]: () => reveal(target),
    ...(wrangler && { [vscode.l10n.t('Open in Data Wrangler')]: () => wrangler(target) }),
  });
}

/** Shows a file or folder in the Explorer, or outside of the workspace in that of the system. */
export function reveal(target: vscode.Uri): Thenable<unknown> {
  const isInside = vscode.workspace.getWorkspaceFolder(target) !== undefined;
  return vscode.commands.executeCommand(isInside ? 'revealInExplorer' : 'revealFileInOS', target);
}

/** How to open a file in Data Wrangler: by the command that its own manifest names; undefined when it is not installed. */
function dataWrangler(): ((file: vscode.Uri) => Thenable<unknown>) | undefined {
  const manifest: unknown = vscode.extensions.getExtension(dataWranglerId)?.packageJSON;
  const contributes = isObject(manifest) ? manifest.contributes : undefined;
  const menus = isObject(contributes) ? contributes.menus : undefined;
  const entries = isObject(menus) ? menus['explorer/context'] : undefined;
  const [entry]: unknown[] = Array.isArray(entries) ? entries : [];
  const command = isObject(entry) ? entry.command : undefined;
  return typeof command === 'string' ? (file) => vscode.commands.executeCommand(command, file) : undefined;
}
