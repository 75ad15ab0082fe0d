import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import { pdfPreviewType } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import type { PreviewPorts } from './preview.ts';

/** The read-only PDF preview, its toggle for a folder, and Open Field Guide (PDF). Loads their code on first use. */
export function registerPdf(
  services: Services,
  context: vscode.ExtensionContext,
  log: Log,
  downloads: PreviewPorts['downloads'],
  evidence: PreviewPorts['evidence'],
): Disposable {
  const store = new DisposableStore();
  const ports = { context, log, downloads, evidence };
  const preview = () => import('./preview.ts');
  store.add(
    vscode.window.registerCustomEditorProvider(
      pdfPreviewType,
      {
        openCustomDocument: (uri) => ({ uri, dispose() {} }),
        async resolveCustomEditor({ uri }, panel) {
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
  store.add(registerCommand('togglePdfPreview', log, async (pdf) => (await preview()).toggleFolderPreview(pdf)));
  return store;
}
