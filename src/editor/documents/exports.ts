import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import { byteSize, counted } from '../../base/words.ts';
import { isThere, onDisk } from '../../downloads/disk.ts';
import { demoOrigin } from '../../downloads/ports.ts';
import { exportLibrary } from '../../export/exportLibrary.ts';
import { exportManifestName } from '../../export/exportManifest.ts';
import type { Encoder } from '../../export/rows.ts';
import type { LibraryExportResult } from '../../export/writeLibrary.ts';
import { type ExportFormat, encoderFor, extensions, reportPages, writeTable } from '../../export/writeTable.ts';
import { type Engine, engineCode, engineForms, engines } from '../../notebook/engineCode.ts';
import { chosenOf } from '../common/arguments.ts';
import { reveal } from '../common/commands.ts';
import { starredReports } from '../common/favoriteMarks.ts';
import { labelText, showProblem, tellAndOffer } from '../common/messages.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import { withCountedProgress } from '../common/progress.ts';
import { reportsInRows } from '../common/reportRows.ts';
import { insertionPlace } from './insertionPlace.ts';
import type { ChosenReports, DocumentPorts } from './ports.ts';
import type { RecentDocuments } from './recentDocuments.ts';

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
  const target = await vscode.window.showSaveDialog(saveOptions(format));
  if (!target) return;
  requireDisk(target);
  await ports.memory.update(memoryKey, format.form);
  const inHand = reportsInRows(chosenOf(args));
  const rows = await write(ports, { ids, inHand }, await encoderFor(format.form), target);
  await tellExported(ports, rows, target);
}

async function write(
  { services }: DocumentPorts,
  { ids, inHand }: ChosenReports,
  encoder: Encoder,
  target: vscode.Uri,
): Promise<number> {
  const { library } = await services.library();
  const title = counted(ids.length, l10n.later('Exporting 1 report'), l10n.later('Exporting {0} reports'));
  return withCountedProgress(title, (signal, onProgress) => {
    const read = async (page: readonly number[]) => {
      const held = page.flatMap((id) => inHand.get(id) ?? []);
      const stored = await library.withSignal(signal).storedReports(page.filter((id) => !inHand.has(id)));
      return [...held, ...stored.map(({ report }) => report)];
    };
    const options = { file: target.fsPath, encoder, pages: reportPages(ids, read), signal };
    return onDisk(() => writeTable({ ...options, onProgress: (rows) => onProgress(rows, ids.length) }));
  });
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
  const favorites = await ports.favorites.read();
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

/** @throws Error for a place that is not on a disk */
function requireDisk({ scheme }: vscode.Uri): void {
  if (scheme !== 'file')
    throw new Error(
      vscode.l10n.t('Tables can only be saved to a disk. Choose a folder on this computer or on the remote one.'),
    );
}

function reportCount(count: number): string {
  return counted(count, l10n.later('1 report'), l10n.later('{0} reports'));
}

const licenceKey = 'documents.toldLicence';
const dataWranglerId = 'ms-toolsai.datawrangler';
const licence = vscode.l10n.t('The data is licensed to you and not for redistribution.');

/** What the licence asks (LIM-5), behind a blank, for the message of the first export; empty from then on. */
async function licenceOnce({ memory }: DocumentPorts): Promise<string> {
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

const libraryTitle = vscode.l10n.t('Export Library for DuckDB');
const engineKey = 'documents.engine';
const folderKey = 'documents.exportFolder';

/** What an export goes into, in the folder that was chosen. */
const ownFolder = 'library-export';

export async function exportWholeLibrary(ports: DocumentPorts, recent: RecentDocuments): Promise<void> {
  const { library, path, connection } = await ports.services.library();
  if ((await library.totals()).listed === 0)
    throw new Error(vscode.l10n.t('The library on this computer has no reports yet. Sync first, then export.'));
  const pages = await chooseContent(ports.textFile);
  const folder = pages === undefined ? undefined : await chooseFolder(ports);
  if (pages === undefined || !folder) return;
  const localFiles = await ports.localPdfs();
  // The demo has another address each time.
  const origin = connection.isDemo ? demoOrigin : new URL(connection.baseUrl).origin;
  const options = { library: path, folder: folder.fsPath, origin, localFiles, logger: ports.log };
  const title = vscode.l10n.t('Exporting the library');
  const result = await withCountedProgress(title, (signal, onProgress) =>
    exportLibrary({ ...options, ...(pages !== null && { pages }), signal, onProgress }),
  );
  await ports.memory.update(folderKey, folder.fsPath);
  void tellAndOffer(exportedWords(result, folder) + (await licenceOnce(ports)), {
    [vscode.l10n.t('Insert Snippet')]: () =>
      insertSnippet(ports, recent, folder).catch((error: unknown) => showProblem(error, ports.log)),
    [vscode.l10n.t('Reveal')]: () => reveal(folder),
  });
}

/**
 * Which tables: asks only where PDFs were read on this computer, and for their text once more what the licence says.
 * The file with the text, null for metadata alone, undefined when the person leaves.
 */
async function chooseContent(textFile: string): Promise<string | null | undefined> {
  if (!(await isThere(textFile))) return null;
  const withText = vscode.l10n.t('Metadata and Text of PDFs');
  const items = [
    {
      label: vscode.l10n.t('Metadata'),
      detail: vscode.l10n.t('Reports, companies, changes and the list of local PDFs'),
    },
    { label: withText, detail: vscode.l10n.t('Also every page of the PDFs that Find in PDFs searches') },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: libraryTitle,
    placeHolder: vscode.l10n.t('What should be exported?'),
  });
  if (chosen?.label !== withText) return chosen && null;
  const confirm = vscode.l10n.t('Export the Text');
  const detail = vscode.l10n.t(
    'The text is licensed like the PDFs. Export it only if your licence lets you keep copies of it.',
  );
  const question = vscode.l10n.t('Does your licence allow copies of the text?');
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, confirm);
  return answer === confirm ? textFile : undefined;
}

async function chooseFolder({ memory }: DocumentPorts): Promise<vscode.Uri | undefined> {
  const last = memory.get<string>(folderKey);
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = last === undefined ? workspace : vscode.Uri.file(last);
  const [folder] =
    (await vscode.window.showOpenDialog({
      ...{ title: libraryTitle, canSelectFiles: false, canSelectFolders: true, openLabel: vscode.l10n.t('Export') },
      ...(defaultUri && { defaultUri }),
    })) ?? [];
  if (!folder) return undefined;
  requireDisk(folder);
  // Its folders would mix with others, such as that of the PDFs.
  const isExport = await isThere(vscode.Uri.joinPath(folder, exportManifestName).fsPath);
  return isExport ? folder : vscode.Uri.joinPath(folder, ownFolder);
}

function exportedWords({ reports, bytesWritten, filesWritten }: LibraryExportResult, folder: vscode.Uri): string {
  const what = reportCount(reports);
  const name = vscode.workspace.asRelativePath(folder);
  return filesWritten === 0
    ? vscode.l10n.t('The export in {1} is up to date: {0}.', what, name)
    : vscode.l10n.t('Exported {0} to {1}: {2} written.', what, name, byteSize(bytesWritten, l10n.language()));
}

/** Puts code that reads the export into the notebook or text that a person works in. */
async function insertSnippet(ports: DocumentPorts, recent: RecentDocuments, folder: vscode.Uri): Promise<void> {
  const note = (form: Engine) => (engineForms[form].isTested ? '' : vscode.l10n.t('not tested'));
  const forms = engines.map((form) => ({ form, label: engineForms[form].label, description: note(form) }));
  const picked = await pickForm(forms, ports.memory.get<Engine>(engineKey), {
    title: vscode.l10n.t('Insert Snippet'),
    placeHolder: vscode.l10n.t('Choose an engine'),
  });
  if (!picked) return;
  const place = await insertionPlace(ports, recent, 'code');
  if (!place) return;
  const { language } = engineForms[picked.form];
  if (![language, 'markdown', 'plain', 'markup'].includes(place.as))
    throw new Error(
      vscode.l10n.t(
        'The code for {0} is in {1}. Open a document in that language.',
        picked.label,
        languageName[language],
      ),
    );
  await ports.memory.update(engineKey, picked.form);
  // A path of this computer means nothing to others who open the document.
  const isInside = vscode.workspace.getWorkspaceFolder(folder) !== undefined;
  const path = isInside ? place.pathTo(folder) : folder.fsPath.replaceAll('\\', '/');
  const code = engineCode(picked.form, path);
  await place.insert(place.as === 'markdown' ? `\`\`\`${language}\n${code}\`\`\`\n` : code);
}

const languageName = { python: 'Python', r: 'R' } as const;
