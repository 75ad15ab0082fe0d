import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import { isObject } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import {
  companiesFile,
  type ExportFormat,
  encoderFor,
  extensions,
  reportPages,
  writeTable,
} from '../../export/writeTable.ts';
import { isThere, onDisk } from '../../files/guard.ts';
import { type Engine, engineCode, engines } from '../../notebook/code.ts';
import { chosenIds } from '../common/chosenReports.ts';
import { reveal } from '../common/commands.ts';
import { starredReports } from '../common/favoriteMarks.ts';
import { labelText, showProblem, tellAndOffer } from '../common/messages.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import { withCountedProgress } from '../common/progress.ts';
import { insertionPlace } from './insertionPlace.ts';
import type { RecentDocuments } from './recentDocuments.ts';

const memoryKey = 'documents.exportFormat';

type ExportForm = ExportFormat | 'folder';

const formats: readonly (vscode.QuickPickItem & { readonly form: ExportForm })[] = [
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
  {
    form: 'folder',
    label: vscode.l10n.t('Parquet Files by Fiscal Year'),
    description: 'DuckDB, pandas, Spark',
    detail: vscode.l10n.t('A folder with a file for each fiscal year, and the companies of the library'),
  },
];

/** What is exported: ids in the order of the lists, and what a person calls them. */
interface ExportScope {
  readonly label: string;
  ids(): Promise<readonly number[]>;
}

/**
 * Export Reports…: asks what, in which form and where to, then writes the table page by page from the library on this
 * computer. Sends no request to the service.
 */
export async function exportReports(app: App, recent: RecentDocuments, args: readonly unknown[]): Promise<void> {
  const scope = await chooseScope(app, args);
  if (!scope) return;
  const format = await pickForm(formats, app.extension.globalState.get(memoryKey), {
    title: vscode.l10n.t('Export Reports'),
    placeHolder: vscode.l10n.t('{0}: choose a format', scope.label),
  });
  const ids = format && (await scope.ids());
  if (!ids) return;
  if (ids.length === 0)
    throw new Error(vscode.l10n.t('There are no reports to export. Choose some, or clear the filter, then try again.'));
  const { form } = format;
  const target = form === 'folder' ? await chooseFolder(app) : await chooseFile(form, format.label);
  if (!target) return;
  await app.extension.globalState.update(memoryKey, form);
  const rows = await write(app, ids, form, target.fsPath);
  if (form === 'folder') await app.extension.globalState.update(folderKey, target.fsPath);
  const name = vscode.workspace.asRelativePath(target);
  const text = vscode.l10n.t('Exported {0} to {1}.{2}', reportCount(rows), name, await licenseOnce(app));
  const wrangler = dataWrangler();
  const insert = () => insertSnippet(app, recent, target);
  void tellAndOffer(text, {
    ...(form === 'folder'
      ? {
          [vscode.l10n.t('Insert Snippet')]: () => insert().catch((error: unknown) => showProblem(error, app.log)),
        }
      : // Parquet is no text; the editor offers what can open it.
        { [vscode.l10n.t('Open')]: () => vscode.commands.executeCommand('vscode.open', target) }),
    [vscode.l10n.t('Reveal')]: () => reveal(target),
    ...(wrangler && form !== 'folder' && { [vscode.l10n.t('Open in Data Wrangler')]: () => wrangler(target) }),
  });
}

async function write({ services }: App, ids: readonly number[], form: ExportForm, path: string): Promise<number> {
  const { library } = await services.library();
  const title = vscode.l10n.t('Exporting {0}', reportCount(ids.length));
  return withCountedProgress(title, async (signal, onProgress) => {
    const calls = library.withSignal(signal);
    const pages = reportPages(ids, async (page) => {
      const stored = (await calls.storedReports(page)).map(({ report }) => report);
      const known = new Set(stored.map(({ report_id }) => report_id));
      // A report can be open that the library can't keep, on a full disk for one.
      const others = page.filter((id) => !known.has(id));
      const read = others.map((id) => services.call((client) => client.report(id, { signal })));
      return [...stored, ...(await Promise.all(read))];
    });
    const options = { pages, signal, onProgress: (rows: number) => onProgress(rows, ids.length) };
    if (form !== 'folder') {
      const encoder = await encoderFor(form);
      return onDisk(() => writeTable({ ...options, file: path, encoder }));
    }
    const { companyPages, writeParquetFolder } = await import('../../export/parquetFolder.ts');
    return writeParquetFolder({ ...options, folder: path, companies: companyPages(calls) });
  });
}

/** What a menu was opened on; else the person chooses between the selection, the filter's result and everything. */
async function chooseScope(app: App, args: readonly unknown[]): Promise<ExportScope | undefined> {
  const given = args.length > 0 && args[0] !== undefined ? await chosenIds(args, app.services) : [];
  if (given.length > 0) return { label: reportCount(given.length), ids: async () => given };
  const { library } = await app.services.library();
  const { query, words } = (await app.reportsView.filter()) ?? { query: {}, words: '' };
  const selected = await chosenIds([app.treeDrag.selection], app.services);
  const { listed } = await library.totals();
  const scopes: (ExportScope & vscode.QuickPickItem)[] = [];
  const offer = (label: string, icon: string, description: string, ids: ExportScope['ids']) =>
    scopes.push({ label, iconPath: new vscode.ThemeIcon(icon), description, ids });
  if (words !== '') {
    const description = `${reportCount(await library.countReports(query))} · ${labelText(words)}`;
    offer(vscode.l10n.t('Filtered Reports'), 'filter', description, () => library.reportIds(query));
  }
  const favorites = await app.favorites.read();
  if (favorites.items.length > 0) {
    const starred = { among: [starredReports(favorites)] };
    const description = reportCount(await library.countReports(starred));
    offer(vscode.l10n.t('Favorites'), 'star-full', description, () => library.reportIds(starred));
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

async function chooseFile(format: ExportFormat, label: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `report-metadata.${extensions[format]}`;
  const file = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Reports'),
    saveLabel: vscode.l10n.t('Export'),
    filters: { [label]: [extensions[format]] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (file) requireDisk(file);
  return file;
}

/** @throws Error for a place that is not on a disk */
function requireDisk({ scheme }: vscode.Uri): void {
  if (scheme !== 'file')
    throw new Error(
      vscode.l10n.t('Tables can only be saved to a disk. Choose a folder on this computer or the remote computer.'),
    );
}

function reportCount(count: number): string {
  return counted(count, l10n.later('1 report'), l10n.later('{0} reports'));
}

const licenseKey = 'documents.toldLicense';
const dataWranglerId = 'ms-toolsai.datawrangler';
const license = vscode.l10n.t('The data is licensed to you and may not be redistributed.');

/** What the license asks (LIM-5), behind a blank, for the message of the first export; empty from then on. */
async function licenseOnce({ extension: { globalState: memory } }: App): Promise<string> {
  if (memory.get(licenseKey) === true) return '';
  await memory.update(licenseKey, true);
  return ` ${license}`;
}

/** How to open a file in Data Wrangler: by the command in its own manifest; undefined when it is not installed. */
function dataWrangler(): ((file: vscode.Uri) => Thenable<unknown>) | undefined {
  const manifest: unknown = vscode.extensions.getExtension(dataWranglerId)?.packageJSON;
  const contributes = isObject(manifest) ? manifest.contributes : undefined;
  const menus = isObject(contributes) ? contributes.menus : undefined;
  const entries = isObject(menus) ? menus['explorer/context'] : undefined;
  const [entry]: unknown[] = Array.isArray(entries) ? entries : [];
  const command = isObject(entry) ? entry.command : undefined;
  return typeof command === 'string' ? (file) => vscode.commands.executeCommand(command, file) : undefined;
}

const engineKey = 'documents.engine';
const folderKey = 'documents.exportFolder';

/** The folder of the export, in the folder that the person chose. */
const ownFolder = 'library-export';

async function chooseFolder({ extension: { globalState: memory } }: App): Promise<vscode.Uri | undefined> {
  const last = memory.get<string>(folderKey);
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = last === undefined ? workspace : vscode.Uri.file(last);
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Export Reports'),
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: vscode.l10n.t('Export'),
      ...(defaultUri && { defaultUri }),
    })) ?? [];
  if (!folder) return undefined;
  requireDisk(folder);
  const isExport = await isThere(vscode.Uri.joinPath(folder, companiesFile).fsPath);
  return isExport ? folder : vscode.Uri.joinPath(folder, ownFolder);
}

/** Puts code that reads the export into the notebook or text that a person works in. */
async function insertSnippet(app: App, recent: RecentDocuments, folder: vscode.Uri): Promise<void> {
  const forms = Object.entries(engines).map(([form, label]) => ({ form: form as Engine, label }));
  const picked = await pickForm(forms, app.extension.globalState.get<Engine>(engineKey), {
    title: vscode.l10n.t('Insert Snippet'),
    placeHolder: vscode.l10n.t('Choose an engine'),
  });
  if (!picked) return;
  const place = await insertionPlace(app, recent, 'code');
  if (!place) return;
  if (place.as === 'r')
    throw new Error(vscode.l10n.t('The code for {0} is in Python. Open a Python document.', picked.label));
  await app.extension.globalState.update(engineKey, picked.form);
  // A path of this computer means nothing to others who open the document.
  const isInside = vscode.workspace.getWorkspaceFolder(folder) !== undefined;
  const path = isInside ? place.pathTo(folder) : folder.fsPath.replaceAll('\\', '/');
  const code = engineCode(picked.form, path);
  await place.insert(place.as === 'markdown' ? `\`\`\`python\n${code}\`\`\`\n` : code);
}
