import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import { pdfPreviewType } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { showProblem } from '../common/messages.ts';

/** What the preview follows of the downloads. */
interface DownloadedPdfs {
  /** Fires when PDFs came. */
  readonly onDidChange: Event<unknown>;
  /** Fires when one of them is shown as text. */
  readonly onDidShowText: Event<void>;
}

/**
 * The read-only PDF preview, for the PDFs of the downloads folder if a person likes, and Open Field Guide (PDF). Their
 * code is loaded on first use.
 */
export function registerPdf(
  services: Services,
  context: vscode.ExtensionContext,
  log: Log,
  { onDidChange, onDidShowText }: DownloadedPdfs,
): Disposable {
  const { workspaceState } = context;
  const store = new DisposableStore();
  store.add(
    vscode.window.registerCustomEditorProvider(
      pdfPreviewType,
      {
        openCustomDocument: (uri) => ({ uri, dispose() {} }),
        resolveCustomEditor: async ({ uri }, panel) => (await import('./preview.ts')).showPdf(uri, panel, context, log),
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
  const offer = async (isShown: boolean) => {
    try {
      await (await offers()).offerPreview(workspaceState, isShown);
    } catch (error) {
      showProblem(error, log);
    }
  };
  store.add(onDidChange(() => void offer(false)));
  store.add(onDidShowText(() => void offer(true)));
  return store;
}
