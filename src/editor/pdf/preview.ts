import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { Channel } from '../../base/rpc.ts';
import { pageHtml } from '../../protocol/page.ts';
import { pdfPreviewProtocol } from '../../protocol/pdfPreview.ts';
import { problemText } from '../common/messages.ts';
import { newNonce, pageFiles, pageOptions } from '../common/pageParts.ts';
import { Positions } from './positions.ts';

/** Largest file that is shown, in bytes. It passes through memory several times. */
const maxBytes = 512 * 1024 ** 2;

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
  const positions = positionsOf(context);
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
          read: async () => ({ bytes: await read(file), position: await positions.of(file.toString()) }),
          pdfjs: async ({ folder, name }) => ({ bytes: await readOwn(extensionUri, 'pdfjs', folder, name) }),
          openLink: async ({ address }) => {
            await vscode.env.openExternal(vscode.Uri.parse(safeAddress(address), true));
            return null;
          },
        },
        events: {
          position: (position) => {
            positions.keep(file.toString(), position).then(undefined, (error: unknown) => {
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
  const [files, viewerStyle] = await Promise.all([
    pageFiles(extensionUri, 'pdfPreview'),
    readOwn(extensionUri, 'webview', 'pdfPreview.css'),
  ]);
  const styles = [new TextDecoder().decode(viewerStyle), ...files.styles];
  if (store.isDisposed) return;
  webview.html = pageHtml({ ...files, styles, nonce: newNonce(), title: 'PDF', hasWorker: true });
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

/** A file of the preview's own. What is read is a Buffer; only a plain array reaches the page as bytes. */
async function readOwn(extensionUri: vscode.Uri, ...path: string[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'dist', ...path)));
}

async function read(file: vscode.Uri): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > maxBytes) {
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
