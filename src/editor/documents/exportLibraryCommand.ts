import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { byteSize, counted } from '../../base/words.ts';
import { isThere } from '../../downloads/disk.ts';
import { exportLibrary } from '../../export/exportLibrary.ts';
import { exportManifestName } from '../../export/exportManifest.ts';
import type { LibraryExportResult } from '../../export/writeLibrary.ts';
import { type Engine, engineCode, engineForms, engines } from '../../notebook/engineCode.ts';
import { showProblem, tellAndOffer, withCountedProgress } from '../common/messages.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import { licenceOnce, reveal } from './exportCommand.ts';
import { insertionPlace } from './insertionPlace.ts';
import type { DocumentPorts } from './ports.ts';
import type { RecentDocuments } from './recentDocuments.ts';

const title = vscode.l10n.t('Export Library for DuckDB');
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
  const { origin } = new URL(connection.baseUrl);
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
    title,
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
      ...{ title, canSelectFiles: false, canSelectFolders: true, openLabel: vscode.l10n.t('Export') },
      ...(defaultUri && { defaultUri }),
    })) ?? [];
  if (!folder) return undefined;
  if (folder.scheme !== 'file')
    throw new Error(
      vscode.l10n.t('Tables can only be saved to a disk. Choose a folder on this computer or on the remote one.'),
    );
  // Its folders would mix with others, such as that of the PDFs.
  const isExport = await isThere(vscode.Uri.joinPath(folder, exportManifestName).fsPath);
  return isExport ? folder : vscode.Uri.joinPath(folder, ownFolder);
}

function exportedWords({ reports, bytesWritten, filesWritten }: LibraryExportResult, folder: vscode.Uri): string {
  const what = counted(reports, l10n.later('1 report'), l10n.later('{0} reports'));
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
