import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { panelViewTypes, pdfPreviewType } from '../editor/common/contributions.ts';
import { showProblem } from '../editor/common/messages.ts';
import type { PanelKind } from '../editor/common/panelUri.ts';
import { quotesMime, reportsMime } from '../editor/common/treeDrag.ts';
import { registerHover } from '../editor/hover/register.ts';
import type { PanelDocument } from '../editor/panels/panelEditors.ts';
import type { PreviewPorts } from '../editor/pdf/preview.ts';
import type { Features } from './features.ts';

/** Registers what the editor asks the features for: custom editors, drops, hovers, marks, links and tools. */
export function registerProviders(features: Features): Disposable {
  const store = new DisposableStore();
  for (const provider of [customEditors, documents, quotes, pdfMarks, tools]) provider(features, store);
  store.add(registerHover(features.app.services, features.app.log));
  return store;
}

function customEditors({ app, panels }: Features, store: DisposableStore): void {
  const { registerCustomEditorProvider } = vscode.window;
  for (const [name, viewType] of Object.entries(panelViewTypes)) {
    const provider = {
      openCustomDocument: async (uri: vscode.Uri) => (await panels.get()).openDocument(name as PanelKind, uri),
      resolveCustomEditor: async (document: PanelDocument, panel: vscode.WebviewPanel) =>
        (await panels.get()).fill(document, panel),
    };
    // The page is rebuilt when it shows again, so that hidden panels cost no memory.
    const webviewOptions = { enableFindWidget: true, retainContextWhenHidden: false };
    store.add(
      registerCustomEditorProvider(viewType, provider, { supportsMultipleEditorsPerDocument: true, webviewOptions }),
    );
  }
  const { extension, log, evidence, downloads } = app;
  const preview: PreviewPorts = { context: extension, log, evidence, downloads: () => downloads.open() };
  const pdf = {
    openCustomDocument: (uri: vscode.Uri) => ({ uri, dispose() {} }),
    resolveCustomEditor: async ({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel) =>
      (await import('../editor/pdf/preview.ts')).showPdf(uri, panel, preview),
  };
  store.add(registerCustomEditorProvider(pdfPreviewType, pdf, { supportsMultipleEditorsPerDocument: true }));
}

function documents({ documents }: Features, store: DisposableStore): void {
  store.add(
    vscode.languages.registerDocumentDropEditProvider(
      ['python', 'r', 'markdown', 'plaintext', { notebookType: '*' }],
      { provideDocumentDropEdits: async (...args) => (await documents.get()).drops.provideDocumentDropEdits(...args) },
      { dropMimeTypes: [reportsMime] },
    ),
  );
  store.add(vscode.window.registerUriHandler({ handleUri: async (uri) => (await documents.get()).openLink(uri) }));
}

const quotedIn = ['markdown', 'python', 'r', 'quarto', 'rmd', 'plaintext'];

function quotes({ app, evidence, quoting }: Features, store: DisposableStore): void {
  store.add(
    vscode.languages.registerHoverProvider(quotedIn, {
      provideHover: async (document, ...at) => (await evidence.get()).marks.provideHover(document, ...at),
    }),
  );
  store.add(
    vscode.languages.registerDocumentDropEditProvider(
      [...quotedIn, { notebookType: '*' }],
      { provideDocumentDropEdits: async (...dropped) => (await evidence.get()).drop(...dropped) },
      { dropMimeTypes: [quotesMime] },
    ),
  );
  store.add(
    app.downloads.onDidChange((ids) => {
      const check = async () => (await (await quoting.get()).hasEvidence()) && (await evidence.get()).checkAfter(ids);
      check().catch((error: unknown) => showProblem(error, app.log));
    }),
  );
}

function pdfMarks({ marks, changed }: Features, store: DisposableStore): void {
  store.add(
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.marks.event,
      async provideFileDecoration(uri, token) {
        if (uri.scheme !== 'file' || !uri.path.endsWith('.pdf')) return undefined;
        return (await marks.get()).decoration(uri, token);
      },
    }),
  );
}

function tools({ app, tools }: Features, store: DisposableStore): void {
  const { lm } = vscode;
  const named: readonly { readonly name: string }[] =
    app.extension.extension.packageJSON.contributes.languageModelTools;
  // Some editors that are built from the same source leave these out.
  for (const { name } of typeof lm.registerTool === 'function' ? named : [])
    store.add(
      lm.registerTool(name, {
        prepareInvocation: async ({ input }, token) => (await tools.get()).prepare(name, input, token),
        invoke: async ({ input }, token) => (await tools.get()).invoke(name, input, token),
      }),
    );
  if (typeof lm.registerMcpServerDefinitionProvider !== 'function') return;
  const provideMcpServerDefinitions = async () => (await tools.get()).servers();
  store.add(lm.registerMcpServerDefinitionProvider('reportLibrary', { provideMcpServerDefinitions }));
}
