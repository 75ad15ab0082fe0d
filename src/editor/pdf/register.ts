import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import { pdfPreviewType } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';

/** What the preview and the field guide need from outside. */
export interface PdfOptions {
  readonly services: Services;
  readonly log: Log;
  readonly context: vscode.ExtensionContext;
}

/** The read-only PDF preview, and Open Field Guide (PDF). Their code is loaded on first use. */
export function registerPdf({ services, log, context }: PdfOptions): Disposable {
  const store = new DisposableStore();
  const preview = lazy(async () => {
    const { PdfPreview } = await import('./preview.ts');
    return new PdfPreview(context.extensionUri, context.workspaceState, log);
  });
  store.add(
    vscode.window.registerCustomEditorProvider(
      pdfPreviewType,
      {
        openCustomDocument: (uri) => ({ uri, dispose() {} }),
        resolveCustomEditor: async ({ uri }, panel) => (await preview.get()).show(uri, panel),
      },
      { supportsMultipleEditorsPerDocument: true },
    ),
  );
  store.add(
    registerCommand('openFieldGuide', log, async () => {
      const { openFieldGuide } = await import('./fieldGuide.ts');
      await openFieldGuide(services, context.globalStorageUri);
    }),
  );
  return store;
}
