import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import { pdfPreviewType } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';

/** The read-only PDF preview, and Open Field Guide (PDF). Their code is loaded on first use. */
export function registerPdf(services: Services, context: vscode.ExtensionContext, log: Log): Disposable {
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
  return store;
}
