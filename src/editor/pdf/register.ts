import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import { pdfPreviewType } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { showProblem } from '../common/messages.ts';
import type { PreviewPorts } from './preview.ts';

/** What the preview asks of the downloads, and follows of them. */
interface DownloadedPdfs {
  downloads(): Promise<{ reportAt(file: vscode.Uri): Promise<number | undefined> }>;
  /** Fires once a person has read that PDFs came. */
  readonly onDidTell: Event<unknown>;
  /** Fires with the tab when one of them is shown as text. */
  readonly onDidShowText: Event<vscode.Tab>;
}

/**
 * The read-only PDF preview, for the PDFs of the downloads folder if a person likes, and Open Field Guide (PDF). Their
 * code is loaded on first use.
 */
export function registerPdf(
  services: Services,
  context: vscode.ExtensionContext,
  log: Log,
  { downloads, onDidTell, onDidShowText }: DownloadedPdfs,
  evidence: PreviewPorts['evidence'],
): Disposable {
  const { workspaceState } = context;
  const store = new DisposableStore();
  const ports: PreviewPorts = {
    context,
    log,
    evidence,
    reportAt: async (file: vscode.Uri) => (await downloads()).reportAt(file),
  };
  const preview = () => import('./preview.ts');
  store.add(
    vscode.window.registerCustomEditorProvider(
      pdfPreviewType,
      {
        openCustomDocument(uri) {
          // The editor asks for its page a while later.
          void preview()
            .then(({ readPreviewPage }) => readPreviewPage(context.extensionUri))
            .catch((error: unknown) => log.warn(`The PDF preview could not be read ahead: ${String(error)}`));
          return { uri, dispose() {} };
        },
        async resolveCustomEditor({ uri }, panel) {
          // A closed panel doesn't tell its column any more.
          let column = panel.viewColumn;
          panel.onDidChangeViewState(() => {
            column = panel.viewColumn;
          });
          panel.onDidDispose(() => void attempt(({ noteChoice }) => noteChoice(uri, column)));
          await (await preview()).showPdf(uri, panel, ports);
        },
      },
      { supportsMultipleEditorsPerDocument: true },
    ),
  );
  store.add(
    registerCommand('openFieldGuide', log, async () =>
      (await import('./fieldGuide.ts')).openFieldGuide(services, context.globalStorageUri),
    ),
  );
  const offers = () => import('./previewOffer.ts');
  store.add(registerCommand('previewDownloadedPdfs', log, async () => (await offers()).startPreview(workspaceState)));
  store.add(registerCommand('stopPreviewingPdfs', log, async () => (await offers()).stopPreview(workspaceState)));
  const attempt = async (work: (offers: typeof import('./previewOffer.ts')) => Promise<void>) => {
    try {
      await work(await offers());
    } catch (error) {
      showProblem(error, log);
    }
  };
  store.add(onDidTell(() => void attempt(({ offerPreview }) => offerPreview(workspaceState))));
  store.add(onDidShowText((tab) => void attempt(({ replaceText }) => replaceText(tab, workspaceState))));
  return store;
}
