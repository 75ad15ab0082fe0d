import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { DisposableStore } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { PlacedText } from '../../base/placedText.ts';
import { Channel } from '../../base/rpc.ts';
import { changeFile, readText } from '../../files/changeFile.ts';
import { pointedAt } from '../../machine/gitRewrites.ts';
import { pageHtml } from '../../protocol/page.ts';
import {
  type CopiedTable,
  firstPosition,
  firstReading,
  type OpenedPdf,
  type Passage,
  type PdfAction,
  type Place,
  type Position,
  pdfPreviewProtocol,
  positionSchema,
  type Range,
  readingSchema,
} from '../../protocol/pdfPreview.ts';
import { maxPdfBytes } from '../../text/readerMessages.ts';
import { reportIds } from '../common/arguments.ts';
import { commandIds, pdfPreviewType } from '../common/contributions.ts';
import { fileName, notificationText, problemText, RestrictedError } from '../common/messages.ts';
import {
  noteArrival,
  noteShownPage,
  onDidWantInPreview,
  onDidWantPlace,
  openedReport,
  wantedPlace,
} from '../common/openPdfFile.ts';
import { newNonce, pageFiles, pageOptions } from '../common/pageParts.ts';
import { resourceSetting } from '../common/settings.ts';
import { FileChanged, headOf, openPdfBytes, type PdfBytes } from './pdfBytes.ts';

type PreviewContext = Pick<vscode.ExtensionContext, 'extensionUri' | 'storageUri' | 'globalStorageUri' | 'globalState'>;

export interface PreviewPorts {
  readonly context: PreviewContext;
  downloads(): Promise<{
    /** The report of a PDF, by the lock files. */
    reportAt(file: vscode.Uri): Promise<number | undefined>;
    /** What Git changed in it, and what to do; undefined where it changed nothing. */
    gitProblemAt(file: vscode.Uri): Promise<string | undefined>;
  }>;
  readonly evidence: {
    /** The target of the next quote, to be shown; null if the person is asked. */
    quoteTarget(): Promise<string | null>;
    /** Both return what was done, in words, or null when the person canceled. */
    quote(file: vscode.Uri, passage: Passage, mayPick: boolean): Promise<string | null>;
    table(file: vscode.Uri, table: CopiedTable, mayPick: boolean): Promise<string | null>;
    /** The text of a page of a local file, from 1; null where it can't be read. */
    placedText(path: string, page: number, signal: AbortSignal): Promise<PlacedText | null>;
  };
  readonly log: Logger;
}

const readingKey = 'reportLibrary.pdf.reading';

/** Passwords that opened PDFs, by the file's address: in memory alone, until the window closes. */
const passwords = new Map<string, string>();

/** Shows a PDF in an editor that the person opened, or that came back after a reload. */
export async function showPdf(file: vscode.Uri, panel: vscode.WebviewPanel, ports: PreviewPorts): Promise<void> {
  const { webview } = panel;
  const { context, log } = ports;
  const { extensionUri } = context;
  const store = new DisposableStore();
  const shown = store.add(new ShownPdf(file, panel, ports));
  const noted = (what: string, keeping: PromiseLike<void>) =>
    keeping.then(undefined, (error: unknown) => log.warn(`${what} could not be remembered: ${problemText(error)}`));
  const channel = store.add(
    new Channel({
      port: {
        // Posting to a hidden page fails quietly: it reads the file again when it shows.
        post: (message) => {
          if (!store.isDisposed) void webview.postMessage(message);
        },
        onMessage: (listener) => webview.onDidReceiveMessage(listener),
      },
      mine: pdfPreviewProtocol.host,
      theirs: pdfPreviewProtocol.page,
      explain: problemText,
      log,
      handlers: {
        calls: {
          open: () => shown.open(),
          range: async (range) => ({ bytes: await shown.read(range) }),
          placedText: ({ page }) => shown.placedText(page),
          actions: () => shown.actions(),
          act: ({ action, page }) => shown.act(action, page),
          quote: ({ passage, mayPick }) => ports.evidence.quote(file, passage, mayPick),
          quoteTarget: () => ports.evidence.quoteTarget(),
          copyTable: ({ table, mayPick }) => ports.evidence.table(file, table, mayPick),
          pdfjs: async ({ folder, name }) => ({ bytes: await readOwn(extensionUri, 'pdfjs', folder, name) }),
          openLink: async ({ address }) => {
            await vscode.env.openExternal(vscode.Uri.parse(safeAddress(address), true));
            return null;
          },
        },
        events: {
          position: (position) => {
            noteShownPage(file, position.page);
            void noted('The page of a PDF', positionsOf(context).keep(file.toString(), position));
          },
          reading: (reading) => void noted('How PDFs are read', context.globalState.update(readingKey, reading)),
          password: ({ password }) => void passwords.set(file.toString(), password),
          arrived: () => noteArrival(file, shown.sent),
        },
      },
    }),
  );
  store.add(watch(file, () => channel.send('changed', null)));
  // A page that is loading gets the place with the file.
  const sendPlace = () => {
    const place = shown.wanted();
    if (place) channel.send('goTo', place);
  };
  panel.onDidChangeViewState(sendPlace);
  store.add(onDidWantPlace((address) => address === file.toString() && sendPlace()));
  store.add(onDidWantInPreview((what) => panel.active && channel.send(what, null)));
  panel.onDidDispose(() => store.dispose());
  const built = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  webview.options = { ...pageOptions, localResourceRoots: [built] };
  const files = await pageFiles(extensionUri, 'pdfPreview', { hasBuilt: false });
  if (store.isDisposed) return;
  const addresses = (...names: string[]) =>
    names.map((name) => webview.asWebviewUri(vscode.Uri.joinPath(built, name)).toString());
  webview.html = pageHtml({
    ...files,
    sheets: addresses('pdfPreview.css', 'codicons.css'),
    // The worker starts while the page's own script is being read.
    sources: addresses('pdfWorker.js', 'pdfPreview.js'),
    nonce: newNonce(),
    title: 'PDF',
    hasWorker: true,
  });
}

/** A PDF as one panel shows it. */
class ShownPdf {
  /** The place that was sent to a page of the panel last. */
  sent: Place | undefined;
  readonly #file: vscode.Uri;
  readonly #panel: vscode.WebviewPanel;
  readonly #ports: PreviewPorts;
  /** Counts how often it was opened. */
  #version = 0;
  #bytes: PdfBytes | undefined;
  readonly #end = new AbortController();

  constructor(file: vscode.Uri, panel: vscode.WebviewPanel, ports: PreviewPorts) {
    this.#file = file;
    this.#panel = panel;
    this.#ports = ports;
  }

  /** The place that the file's preview should go to; of several previews, only the active one goes there. */
  wanted(): Place | undefined {
    if (this.#panel.active) this.sent = wantedPlace(this.#file);
    return this.#panel.active ? this.sent : undefined;
  }

  /** @throws Error with words for a person */
  async open(): Promise<OpenedPdf> {
    const { context } = this.#ports;
    const version = ++this.#version;
    const file = this.#file;
    const [bytes, kept] = await Promise.all([openPdfBytes(file), positionsOf(context).of(file.toString())]);
    const head = await headOf(bytes);
    if (pointedAt(head) !== undefined)
      throw new Error(vscode.l10n.t('A Git LFS pointer, not the PDF. Run git lfs pull, or restore the PDF'));
    if (version === this.#version) this.#bytes = bytes;
    // Its pages may still show, but not as they were.
    if (version === 1) void this.#warnOfGit();
    return {
      version,
      length: bytes.length,
      head,
      position: kept,
      place: this.wanted() ?? null,
      reading: z.catch(readingSchema, firstReading).parse(context.globalState.get(readingKey)),
      password: passwords.get(file.toString()) ?? null,
    };
  }

  async #warnOfGit(): Promise<void> {
    try {
      const problem = await (await this.#ports.downloads()).gitProblemAt(this.#file);
      if (problem !== undefined) await vscode.window.showWarningMessage(notificationText(problem));
    } catch (error) {
      this.#ports.log.warn(`A PDF was not compared with its lock file: ${problemText(error)}`);
    }
  }

  /** @throws FileChanged when the file is another one by now, or the range is of another opening or outside the file */
  async read({ version, begin, end }: Range): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = this.#bytes;
    if (!bytes || version !== this.#version || end > bytes.length) throw new FileChanged();
    return bytes.read(begin, end);
  }

  /** @throws Error with words for a person where it can't be read */
  async placedText(page: number): Promise<PlacedText> {
    if (this.#file.scheme !== 'file')
      throw new Error(vscode.l10n.t('The text of this PDF can’t be read because it isn’t a file on this computer.'));
    if (this.#bytes && this.#bytes.length > maxPdfBytes)
      throw new Error(vscode.l10n.t('The text of this PDF can’t be read because the file is too large.'));
    const placed = await this.#ports.evidence.placedText(this.#file.fsPath, page, this.#end.signal);
    if (!placed)
      throw new Error(
        vscode.l10n.t('The text of this page can’t be read: it is protected by a password, or it is damaged.'),
      );
    return { text: placed.text, boxes: Float32Array.from(placed.boxes) };
  }

  dispose(): void {
    this.#end.abort();
  }

  async #report(): Promise<number | undefined> {
    const known = openedReport(this.#file) ?? reportIds([this.#file])[0];
    return known ?? (await this.#ports.downloads()).reportAt(this.#file);
  }

  async actions(): Promise<PdfAction[]> {
    // The system's viewer is on the person's computer, and the file is not when the window is remote or in a browser.
    const isLocal = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
    const ofReport: PdfAction[] = (await this.#report()) === undefined ? [] : ['showReport', 'copyLink'];
    return [...ofReport, ...(isLocal && this.#file.scheme === 'file' ? (['openOutside'] as const) : []), 'split'];
  }

  async act(action: PdfAction, page: number): Promise<void> {
    if (action === 'split') await vscode.commands.executeCommand('workbench.action.splitEditor');
    else if (action === 'openOutside') await vscode.env.openExternal(this.#file);
    else {
      const id = await this.#report();
      if (id === undefined) throw new Error(vscode.l10n.t('This PDF’s report isn’t in your library.'));
      if (action === 'showReport') await vscode.commands.executeCommand(commandIds.openReport, id);
      else await vscode.commands.executeCommand(commandIds.copyLink, id, { page });
    }
  }
}

/** One for all previews of the window. */
let known: Positions | undefined;

function positionsOf({ storageUri, globalStorageUri }: PreviewContext): Positions {
  known ??= new Positions((storageUri ?? globalStorageUri).fsPath);
  return known;
}

/**
 * The address of a link in a PDF as it may leave the editor: http and https, without a name and password in it.
 * @throws Error with words for a person for everything else; a PDF may hold commands, files and scripts as links
 */
export function safeAddress(address: string): string {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw new Error(vscode.l10n.t('This link does not lead to a web page, so it was not opened.'));
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error(vscode.l10n.t('This link has a user name or a password in it, so it was not opened.'));
  }
  return url.href;
}

/** A file of the extension's package. What is read is a Buffer; only a plain array reaches the page as bytes. */
async function readOwn(extensionUri: vscode.Uri, ...path: string[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'dist', ...path)));
}

/** Reports when the file has other bytes; the same event may come twice. */
function watch(file: vscode.Uri, changed: () => void): vscode.Disposable {
  // The name itself may hold what a pattern reads as a wildcard.
  const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(file, '..'), '*');
  const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, false, true);
  const note = (uri: vscode.Uri) => {
    if (uri.toString() === file.toString()) changed();
  };
  return vscode.Disposable.from(watcher, watcher.onDidCreate(note), watcher.onDidChange(note));
}

/**
 * Makes the PDFs of a folder open in the preview, or stops that: writes or removes one entry of
 * `workbench.editorAssociations` in the workspace's settings. PDFs below a folder named `reports` need no entry.
 * @param pdf a PDF of the folder; without one the PDF in front says which folder, else it is the downloads folder
 * @throws Error in Restricted Mode and without an open folder
 */
export async function toggleFolderPreview(pdf: unknown): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new RestrictedError(
      vscode.l10n.t('Settings can’t be changed in Restricted Mode. Trust this workspace, then try again.'),
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

/** Maximum number of files whose position is remembered; the oldest are forgotten first. */
const maxFiles = 200;

const storedSchema = z.array(z.tuple([z.string(), z.catch(positionSchema, firstPosition)]));

/**
 * Remembers where a person was in each PDF, in a file of its own. The editor's own memory is written seconds later, and
 * not at all when the window is reloaded before.
 */
export class Positions {
  readonly #folder: string;
  /** What this window knows; the file may be behind it. */
  readonly #latest = new Map<string, Position>();

  /** @param folder where the file is; made when there is something to keep */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where the person was in a file; its start when nothing is remembered, or nothing that can be trusted. */
  async of(file: string): Promise<Position> {
    // An unreadable file counts as empty.
    const text = () => readText(this.#target).catch(() => undefined);
    return this.#latest.get(file) ?? stored(await text()).get(file) ?? firstPosition;
  }

  /** Resolves once it, or a newer one, is on the disk. @throws DiskProblem, or the system's error */
  async keep(file: string, position: Position): Promise<void> {
    this.#latest.set(file, position);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await changeFile(this.#target, (text) => {
      const positions = stored(text);
      positions.delete(file);
      positions.set(file, this.#latest.get(file) ?? position);
      return JSON.stringify([...positions].slice(-maxFiles));
    });
  }

  get #target() {
    return { root: this.#folder, path: 'pdf-places.json', isPrivate: true };
  }
}

/** The file's entries; none when it can't be read. */
function stored(text: string | undefined): Map<string, Position> {
  try {
    return new Map(storedSchema.parse(JSON.parse(text ?? '[]')));
  } catch {
    return new Map();
  }
}
