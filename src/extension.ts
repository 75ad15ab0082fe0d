import * as vscode from 'vscode';
import { DisposableStore, Emitter } from './base/disposable.ts';
import { l10n } from './base/l10n.ts';
import { once } from './base/once.ts';
import { registerCommand, registerCommands, setContextKey } from './editor/common/commands.ts';
import { createLog } from './editor/common/log.ts';
import { onDidChangeSetting } from './editor/common/settings.ts';
import { TreeDragController } from './editor/common/treeDrag.ts';
import { registerDocuments } from './editor/documents/register.ts';
import { registerDownloads } from './editor/downloads/register.ts';
import { registerEvidence } from './editor/evidence/register.ts';
import { registerFavorites } from './editor/favorites/register.ts';
import { registerFind } from './editor/find/register.ts';
import { registerHover } from './editor/hover/register.ts';
import { registerPanels } from './editor/panels/register.ts';
import { registerPdf } from './editor/pdf/register.ts';
import { registerSignIn } from './editor/signin/register.ts';
import { registerStatus } from './editor/status/register.ts';
import { registerSync, type SyncApi } from './editor/sync/register.ts';
import { registerText, type TextApi } from './editor/text/register.ts';
import { registerTools } from './editor/tools/register.ts';
import { registerTrees, type TreesApi } from './editor/trees/register.ts';
import { Services } from './services.ts';

/** What the editor tests look at. Other extensions get nothing: it is only handed out in a test host. */
export interface TestHandles extends Pick<TreesApi, 'watchlist' | 'reports' | 'changes'> {
  readonly services: Services;
  readonly sync: SyncApi;
  readonly text: TextApi['text'];
}

/** Registers everything and starts nothing: no request, no file, no database before somebody asks for something. */
export function activate(context: vscode.ExtensionContext): TestHandles | undefined {
  l10n.speak(vscode.env.language, vscode.l10n.bundle);
  void setContextKey('reportLibrary.active', true);
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const version: string = context.extension.packageJSON.version;
  const log = store.add(createLog());
  const removedLibraries = store.add(new Emitter<void>());
  const wiring = once(async () => {
    const wired = store.add((await import('./wiring.ts')).wire(context, version, log));
    store.add(wired.libraries.onDidRemove(() => removedLibraries.fire()));
    return wired;
  });
  const services = store.add(
    new Services({
      logger: log,
      createClient: async (connection) => (await wiring.get()).createClient(connection),
      openLibrary: async (connection, services) => (await wiring.get()).openLibrary(connection, services),
      loadConnection: async () => (await wiring.get()).loadConnection(),
    }),
  );
  store.add(
    onDidChangeSetting('reportLibrary.authentication', 'reportLibrary.requestsPerSecond')(() => services.resetClient()),
  );

  const status = registerStatus(services, version, log);
  store.add(status.disposable);
  store.add(registerSignIn(services, context.secrets, () => wiring.get(), log));
  store.add(
    registerCommand('openDemoLibrary', log, async () =>
      (await import('./editor/demo/demoLibrary.ts')).openDemo(services, await wiring.get()),
    ),
  );
  const sync = store.add(registerSync(services, log));
  const startSync = () => {
    sync.start();
    panels.follow();
  };
  const treeDrag = new TreeDragController();
  const downloads = store.add(
    registerDownloads({
      services,
      log,
      globalFolder: context.globalStorageUri,
      storage: context.storageUri,
      state: context.workspaceState,
      treeDrag,
      upstream: async (ids, signal) =>
        (await import('./editor/common/upstream.ts')).upstream(services, ids, signal, log),
      onDidChangeUpstream: sync.onDidChangeState,
    }),
  );
  const { marks } = downloads;
  const favorites = store.add(registerFavorites(services, log, treeDrag, context.globalStorageUri));
  const trees = store.add(
    registerTrees({
      services,
      log,
      treeDrag,
      extension: context,
      marks,
      favorites,
      localReports: () => marks.here(),
      startSync,
      syncAgain: () => sync.again(),
    }),
  );
  const { watchlist, reports, changes } = trees;
  const find = store.add(registerFind(services, log, context, startSync));
  store.add(sync.onDidChangeState((state) => trees.showSync(state)));
  store.add(sync.onDidChangeState((state) => status.showSync(state)));
  store.add(downloads.onDidChange(() => status.refreshUsage()));
  const documentPorts = async () => {
    const { makeDocumentPorts } = await import('./editor/documents/ports.ts');
    return makeDocumentPorts({ services, log, extension: context, treeDrag, favorites, downloads, reports });
  };
  const documents = store.add(registerDocuments(log, documentPorts));
  const panelPorts = async () => {
    const { makePanelPorts } = await import('./editor/panels/ports.ts');
    return makePanelPorts({
      services,
      log,
      downloads,
      reports,
      favorites,
      startSync,
      extensionUri: context.extensionUri,
      selection: () => treeDrag.selection,
      memory: { workspace: context.workspaceState, global: context.globalState },
      noteOpened: (opened) => find.noteOpened(opened),
    });
  };
  const panels = store.add(registerPanels(panelPorts, log));
  store.add(
    registerCommands(['resolveIdentifiers', 'resolveSelection', 'lookupReportKeys'], log, async () =>
      (await import('./editor/resolve/commands.ts')).resolveCommands({ services, showResults: panels.showResults }),
    ),
  );
  store.add(registerHover(services, log));
  const evidencePorts = once(async () =>
    store.add(
      (await import('./evidencePorts.ts')).makeEvidencePorts({
        services,
        log,
        context,
        downloads,
        documents,
        pdfText: () => text.text(),
      }),
    ),
  );
  const evidence = store.add(
    registerEvidence(() => evidencePorts.get(), downloads.onDidChange, treeDrag, log, context.workspaceState),
  );
  store.add(registerPdf(services, context, log, downloads.downloads, evidence));
  const text = store.add(
    registerText({
      services,
      log,
      treeDrag,
      extension: context,
      files: downloads,
      onDidChangeSync: sync.onDidChangeState,
      narrowed: async () => (await reports.loaded())?.narrowed(),
      publishedElsewhere: async (hashes, own) => (await wiring.get()).publishedElsewhere(hashes, own),
      onDidRemoveLibrary: removedLibraries.event,
      hasIndex: async () => (await wiring.get()).hasTextIndex(),
      openIndex: async () => (await wiring.get()).openTextIndex(),
    }),
  );
  store.add(
    registerTools({
      services,
      log,
      context,
      folders: async () => (await import('./editor/downloads/downloadRoot.ts')).workspaceDownloads(),
    }),
  );
  return context.extensionMode === vscode.ExtensionMode.Test
    ? { services, watchlist, reports, changes, sync, text: text.text }
    : undefined;
}
