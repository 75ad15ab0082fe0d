import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { Channel } from '../../base/rpc.ts';
import { pageHtml } from '../../protocol/page.ts';
import { pdfPreviewProtocol } from '../../protocol/pdfPreview.ts';
import { problemText } from '../common/messages.ts';
import { newNonce, pageFiles, pageOptions } from '../common/pageParts.ts';
import { safeAddress } from './link.ts';
import { Places } from './places.ts';

/** Largest file that is shown, in bytes. It passes through memory several times. */
const mostBytes = 512 * 1024 ** 2;

/** What the preview needs of the extension. */
export type PreviewContext = Pick<vscode.ExtensionContext, 'extensionUri' | 'storageUri' | 'globalStorageUri'>;

/** Shows a PDF in an editor that the person opened, or that came back after a reload. */
export async function showPdf(
  file: vscode.Uri,
  panel: vscode.WebviewPanel,
  context: PreviewContext,
  log: Logger,
): Promise<void> {
  const { webview } = panel;
  const { extensionUri } = context;
  const places = placesOf(context);
  const store = new DisposableStore();
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
          read: async () => ({ bytes: await read(file), place: await places.of(file.toString()) }),
          worker: async () => ({ script: (await unpacked(extensionUri, 'pdfWorker.js.br')).toString('utf8') }),
          // What is unpacked is a Buffer; only a plain array reaches the page as bytes.
          charMaps: async () => ({ packed: new Uint8Array(await unpacked(extensionUri, 'charMaps.br')) }),
          openLink: async ({ address }) => {
            await vscode.env.openExternal(vscode.Uri.parse(safeAddress(address), true));
            return null;
          },
          openOutside: async () => {
            await openOutside(file);
            return null;
          },
        },
        events: {
          place: (place) => {
            places.keep(file.toString(), place).then(undefined, (error: unknown) => {
              log.warn(`The page of a PDF could not be remembered: ${problemText(error)}`);
            });
          },
        },
      },
    }),
  );
  store.add(watch(file, () => channel.send('changed', null)));
  panel.onDidDispose(() => store.dispose());
  webview.options = pageOptions;
  const files = await pageFiles(extensionUri, 'pdfPreview');
  if (!store.isDisposed) webview.html = pageHtml({ ...files, nonce: newNonce(), title: 'PDF', hasWorker: true });
}

/** One for all previews of the window. */
let known: Places | undefined;

function placesOf({ storageUri, globalStorageUri }: PreviewContext): Places {
  known ??= new Places(vscode.Uri.joinPath(storageUri ?? globalStorageUri, 'pdf-places.json').fsPath);
  return known;
}

/** Hands the file to the system's own viewer; where the editor is somewhere else than the file, shows where it is. */
async function openOutside(file: vscode.Uri): Promise<void> {
  const isHere = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  if (isHere && (await vscode.env.openExternal(file))) return;
  await vscode.commands.executeCommand('revealInExplorer', file);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The file is on another computer than your screen. Download it from its menu here, then open it.'),
  );
}

/** A file of the preview that is packed more tightly than a VSIX packs. */
async function unpacked(extensionUri: vscode.Uri, name: string): Promise<Buffer> {
  const packed = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name));
  return promisify(brotliDecompress)(packed);
}

async function read(file: vscode.Uri): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > mostBytes) {
      throw new Error(
        vscode.l10n.t('This PDF is larger than 512 MB, which is too much for this preview. Open it in another viewer.'),
      );
    }
    // What is read is a Buffer; only a plain array, with nothing around its bytes, reaches the page as bytes.
    return new Uint8Array(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
      throw new Error(
        vscode.l10n.t('The file is not here any more. Download the PDF of this report again, then try again.'),
      );
    }
    throw error;
  }
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
