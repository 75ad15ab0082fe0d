import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { Channel } from '../../base/rpc.ts';
import { pageHtml } from '../../protocol/page.ts';
import {
  type CopiedTable,
  firstReading,
  type Passage,
  type PdfAction,
  type Place,
  pdfPreviewProtocol,
  type Range,
  readingSchema,
} from '../../protocol/pdfPreview.ts';
import { reportIds } from '../common/arguments.ts';
import { commandIds } from '../common/contributions.ts';
import { problemText } from '../common/messages.ts';
import { noteArrival, onDidWantPlace, openedReport, wantedPlace } from '../common/openPdfFile.ts';
import { newNonce, pageFiles, pageOptions } from '../common/pageParts.ts';
import { noteShownPage, onDidWantInPreview } from '../common/quoting.ts';
import { FileChanged, headOf, openPdfBytes, type PdfBytes } from './pdfBytes.ts';
import { Positions } from './positions.ts';

/** What the preview needs of the extension. */
type PreviewContext = Pick<vscode.ExtensionContext, 'extensionUri' | 'storageUri' | 'globalStorageUri' | 'globalState'>;

/** What the preview asks of others. */
export interface PreviewPorts {
  readonly context: PreviewContext;
  /** The report that a PDF is of, by the lock files. */
  reportAt(file: vscode.Uri): Promise<number | undefined>;
  /** Where quotes and tables go; each gives what was done, in words, or null when the person left. */
  readonly evidence: {
    quote(file: vscode.Uri, passage: Passage, mayPick: boolean): Promise<string | null>;
    table(file: vscode.Uri, table: CopiedTable, mayPick: boolean): Promise<string | null>;
  };
  readonly log: Logger;
}

/** Where the way a person reads is kept. */
const readingKey = 'reportLibrary.pdf.reading';

/** Passwords that opened PDFs, by the file's address: in memory alone, until the window closes. */
const passwords = new Map<string, string>();

/** Reads what the page's HTML is made of, once for all previews. */
export function readPreviewPage(extensionUri: vscode.Uri): ReturnType<typeof pageFiles> {
  return pageFiles(extensionUri, 'pdfPreview', false);
}

/** Shows a PDF in an editor that the person opened, or that came back after a reload. */
export async function showPdf(file: vscode.Uri, panel: vscode.WebviewPanel, ports: PreviewPorts): Promise<void> {
  const { webview } = panel;
  const { context, log } = ports;
  const { extensionUri } = context;
  const store = new DisposableStore();
  const shown = new ShownPdf(file, panel, ports);
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
          actions: () => shown.actions(),
          act: ({ action, page }) => shown.act(action, page),
          quote: ({ passage, mayPick }) => ports.evidence.quote(file, passage, mayPick),
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
  // A page that is on its way gets the place with the file, and this one too, which does no harm.
  const lead = () => {
    const place = shown.wanted();
    if (place) channel.send('goTo', place);
  };
  panel.onDidChangeViewState(lead);
  store.add(onDidWantPlace((address) => address === file.toString() && lead()));
  store.add(onDidWantInPreview((what) => panel.active && channel.send(what, null)));
  panel.onDidDispose(() => store.dispose());
  const built = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  webview.options = { ...pageOptions, localResourceRoots: [built] };
  const files = await readPreviewPage(extensionUri);
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
  /** The place that a page of the panel was told last. */
  sent: Place | undefined;
  readonly #file: vscode.Uri;
  readonly #panel: vscode.WebviewPanel;
  readonly #ports: PreviewPorts;
  /** Counts how often it was opened. */
  #version = 0;
  #bytes: PdfBytes | undefined;

  constructor(file: vscode.Uri, panel: vscode.WebviewPanel, ports: PreviewPorts) {
    this.#file = file;
    this.#panel = panel;
    this.#ports = ports;
  }

  /** The place that the file's preview is to go to; of several, the one that a person works in does. */
  wanted(): Place | undefined {
    if (this.#panel.active) this.sent = wantedPlace(this.#file);
    return this.#panel.active ? this.sent : undefined;
  }

  /** Opens the file anew. @throws Error with words for a person */
  async open() {
    const { context } = this.#ports;
    const version = ++this.#version;
    const file = this.#file;
    const [bytes, kept] = await Promise.all([openPdfBytes(file), positionsOf(context).of(file.toString())]);
    const head = await headOf(bytes);
    if (version === this.#version) this.#bytes = bytes;
    const reading = readingSchema.safeParse(context.globalState.get(readingKey));
    return {
      version,
      length: bytes.length,
      head,
      position: kept,
      place: this.wanted() ?? null,
      reading: reading.success ? reading.data : firstReading,
      password: passwords.get(file.toString()) ?? null,
    };
  }

  /** @throws FileChanged when the file is another one by now, or the range is of another opening or outside the file */
  async read({ version, begin, end }: Range): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = this.#bytes;
    if (!bytes || version !== this.#version || end > bytes.length) throw new FileChanged();
    return bytes.read(begin, end);
  }

  async #report(): Promise<number | undefined> {
    return openedReport(this.#file) ?? reportIds([this.#file])[0] ?? this.#ports.reportAt(this.#file);
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
      if (id === undefined) throw new Error(vscode.l10n.t('The report of this PDF is not known here.'));
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

/** Tells when the file has other bytes; the same event may come twice. */
function watch(file: vscode.Uri, changed: () => void): vscode.Disposable {
  // The name itself may hold what a pattern reads as a wildcard.
  const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(file, '..'), '*');
  const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, false, true);
  const note = (uri: vscode.Uri) => {
    if (uri.toString() === file.toString()) changed();
  };
  return vscode.Disposable.from(watcher, watcher.onDidCreate(note), watcher.onDidChange(note));
}
