import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import { pdfPreviewType } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { showProblem } from '../common/messages.ts';

/**
 * The read-only PDF preview, for the PDFs of the downloads folder if a person likes, and Open Field Guide (PDF). Their
 * code is loaded on first use.
 * @param onDidDownload fires when PDFs came
 */
export function registerPdf(
  services: Services,
  context: vscode.ExtensionContext,
  log: Log,
  onDidDownload: Event<unknown>,
): Disposable {
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
  const offer = () => import('./previewOffer.ts');
  store.add(registerCommand('previewDownloadedPdfs', log, async () => (await offer()).startPreview()));
  store.add(registerCommand('stopPreviewingPdfs', log, async () => (await offer()).stopPreview()));
  store.add(
    onDidDownload(() => {
      offer()
        .then(({ offerPreview }) => offerPreview(context.workspaceState))
        .catch((error: unknown) => showProblem(error, log));
    }),
  );
  return store;
}
