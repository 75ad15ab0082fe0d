import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter } from '../base/disposable.ts';
import { once } from '../base/once.ts';
import { type CommandLoaders, setContextKey } from '../editor/common/commands.ts';
import { viewIds } from '../editor/common/contributions.ts';
import { LazyTree } from '../editor/common/lazyTree.ts';
import { createLog } from '../editor/common/log.ts';
import { type NamedKey, panelOf } from '../editor/common/panelUri.ts';
import { onDidChangeSetting } from '../editor/common/settings.ts';
import type { SyncState } from '../editor/common/syncState.ts';
import { TreeDragController } from '../editor/common/treeDrag.ts';
import { RecentDocuments } from '../editor/documents/recentDocuments.ts';
import type { OpenedDownloads } from '../editor/downloads/commands.ts';
import type { DownloadsTree } from '../editor/downloads/tree.ts';
import type { DownloadNode } from '../editor/downloads/treeItems.ts';
import type { OpenedEvidence } from '../editor/evidence/commands.ts';
import type { EvidenceNode, EvidenceTree } from '../editor/evidence/tree.ts';
import type { PdfHitsNode } from '../editor/text/hitItems.ts';
import type { PdfHitsTree } from '../editor/text/hitsTree.ts';
import type { ChangesNode, ChangesTree } from '../editor/trees/changesTree.ts';
import type { ReportsNode, ReportsTree } from '../editor/trees/reportsTree.ts';
import type { WatchlistNode, WatchlistTree } from '../editor/trees/watchlistTree.ts';
import type { App } from './app.ts';
import { Services } from './session.ts';

export type Features = ReturnType<typeof createFeatures>;

/** Makes the features of a window. Loads and opens nothing until it is used. */
export function createFeatures(extension: vscode.ExtensionContext) {
  const store = new DisposableStore();
  const lazy = <T extends Disposable>(load: () => Promise<T>) => once(async () => store.add(await load()));
  const log = store.add(createLog());
  const treeDrag = new TreeDragController();
  const changed = {
    files: store.add(new Emitter<readonly number[]>()),
    marks: store.add(new vscode.EventEmitter<vscode.Uri[] | undefined>()),
    favorites: store.add(new Emitter<void>()),
    sync: store.add(new Emitter<SyncState>()),
    libraryRemoved: store.add(new Emitter<void>()),
    insertKey: store.add(new Emitter<void>()),
  };

  const parts = lazy(async () => {
    const made = (await import('./connect.ts')).connectionParts(extension, log);
    store.add(made.libraries.onDidRemove(() => changed.libraryRemoved.fire()));
    return made;
  });
  const services = store.add(
    new Services({
      logger: log,
      createClient: async (connection) => (await parts.get()).createClient(connection),
      openLibrary: async (...given) => (await parts.get()).openLibrary(...given),
      loadConnection: async () => (await parts.get()).loadConnection(),
    }),
  );
  store.add(
    onDidChangeSetting('reportLibrary.authentication', 'reportLibrary.requestsPerSecond')(() => services.resetClient()),
  );
  const connections = lazy(async () => {
    const { Connections, notifyWalkthrough } = await import('../editor/signin/connections.ts');
    const { offerLeftLibrary } = await import('../editor/signin/switchConnection.ts');
    store.add(vscode.window.tabGroups.onDidChangeTabs(notifyWalkthrough));
    return new Connections({ services, log, offerLeftLibrary, ...(await parts.get()) });
  });
  const autoSync = lazy(async () => {
    const { AutoSync, LargeLoad } = await import('../editor/sync/autoSync.ts');
    const tell = (state: SyncState) => {
      app.sync.state = state;
      changed.sync.fire(state);
    };
    return new AutoSync(services, log, tell, new LargeLoad(() => app.sync.now()));
  });
  const status = lazy(async () => {
    const { UsageStatus } = await import('../editor/status/usageStatus.ts');
    return new UsageStatus(app);
  });
  const favorites = lazy(async () => {
    const { ConnectionFavorites } = await import('../editor/favorites/connectionFavorites.ts');
    const { libraries } = await parts.get();
    const made = new ConnectionFavorites(services, log, libraries, await libraries.openFavorites(log));
    made.onDidChange(() => changed.favorites.fire());
    return made;
  });
  const tree = <Node, Tree extends vscode.TreeDataProvider<Node> & Disposable>(
    viewId: (typeof viewIds)[keyof typeof viewIds],
    load: (view: vscode.TreeView<Node>) => Promise<Tree>,
    showCollapseAll = false,
  ) => store.add(new LazyTree<Node, Tree>(viewId, load, treeDrag, showCollapseAll));
  const watchlist = tree<WatchlistNode, WatchlistTree>(
    viewIds.watchlist,
    async (view) => new (await import('../editor/trees/watchlistTree.ts')).WatchlistTree(app, view),
    true,
  );
  const reports = tree<ReportsNode, ReportsTree>(
    viewIds.reports,
    async (view) => new (await import('../editor/trees/reportsTree.ts')).ReportsTree(app, view),
    true,
  );
  const changes = tree<ChangesNode, ChangesTree>(
    viewIds.changes,
    async (view) => new (await import('../editor/trees/changesTree.ts')).ChangesTree(app, view),
  );
  const downloadsView = tree<DownloadNode, DownloadsTree>(viewIds.downloads, async () =>
    (await import('../editor/downloads/commands.ts')).treeOf(await downloads.get()),
  );
  const downloads = lazy(
    async (): Promise<OpenedDownloads> =>
      (await import('../editor/downloads/commands.ts')).openDownloads(app, downloadsView.view),
  );
  const marks = lazy(async () =>
    (await import('../editor/downloads/decorations.ts')).openMarks(
      app,
      changed.marks,
      async () => (await downloads.get()).downloads,
    ),
  );
  const hits = tree<PdfHitsNode, PdfHitsTree>(
    viewIds.pdfHits,
    async (view) => new (await import('../editor/text/hitsTree.ts')).PdfHitsTree(await text.get(), view, log),
    true,
  );
  const index = once(async () => (await import('../editor/text/indexFile.ts')).indexFile(app));
  const text = lazy(async () => (await import('../editor/text/pdfText.ts')).startPdfText(app, await index.get()));
  const textCommands = lazy(async () =>
    (await import('../editor/text/commands.ts')).openText({
      ports: app,
      text: await text.get(),
      tree: await hits.tree(),
    }),
  );
  const recent = store.add(new RecentDocuments());
  const documents = lazy(async () => (await import('../editor/documents/commands.ts')).openDocuments(app, recent));
  const quoting = lazy(async () => (await import('../editor/evidence/context.ts')).evidenceContext(app));
  const evidenceView = tree<EvidenceNode, EvidenceTree>(viewIds.evidence, async () => (await evidence.get()).tree);
  const evidence = lazy(
    async (): Promise<OpenedEvidence> =>
      (await import('../editor/evidence/commands.ts')).openEvidenceFeature(await quoting.get(), evidenceView.view, app),
  );
  const following = once(() => store.add(noteOpenedPages(app)));
  const panelPorts = once(async () => (await import('../editor/panels/context.ts')).panelContext(app));
  const panels = lazy(async () => {
    following.get();
    return (await import('../editor/panels/commands.ts')).openPanels(await panelPorts.get());
  });
  const tools = lazy(async () => new (await import('../editor/tools/door.ts')).ToolDoor(app));

  const app: App = {
    extension,
    log,
    services,
    treeDrag,
    favorites: { read: async () => (await favorites.get()).read(), onDidChange: changed.favorites.event },
    marks: {
      look: async (ids) => (await marks.get()).look(ids),
      here: async () => (await marks.get()).here(),
      onDidChange: changed.marks.event,
    },
    sync: {
      state: undefined,
      now: Date.now,
      start() {
        autoSync.get().then(
          (running) => running.start(),
          (error: unknown) => log.error(String(error)),
        );
        following.get();
      },
      again: async () => (await autoSync.get()).again(),
      onDidChangeState: changed.sync.event,
    },
    downloads: {
      open: async () => (await downloads.get()).downloads,
      folders: async () => {
        const { workspaceDownloads } = await import('../editor/downloads/downloadRoot.ts');
        return workspaceDownloads({ isDemo: 'connection' in services.session && services.session.connection.isDemo });
      },
      offer: async (asked) =>
        (await import('../editor/downloads/commands.ts')).offerDownload(await downloads.get(), asked),
      run: async (...asked) =>
        (await import('../editor/downloads/commands.ts')).runDownload(await downloads.get(), ...asked),
      openPdf: async (...asked) =>
        (await import('../editor/downloads/openPdf.ts')).openPdf(await downloads.get(), asked),
      fetch: async (...asked) =>
        (await import('../editor/downloads/commands.ts')).fetchReports(await downloads.get(), ...asked),
      onDidChange: changed.files.event,
      noteChanged: (ids) => changed.files.fire(ids),
    },
    documents: {
      insertionPlace: async (kind) => (await documents.get()).insertionPlace(kind),
      targetName: async () => (await documents.get()).targetName(),
      placeAt: async (...at) => (await documents.get()).placeAt(...at),
    },
    evidence: {
      open: async (id) => (await evidence.get()).openEvidence(id),
      quote: async (...given) => (await evidence.get()).quote(...given),
      quoteTarget: async () => (await evidence.get()).quoteTarget(),
      table: async (...given) => (await evidence.get()).table(...given),
      placedText: async (path, ...asked) => (await quoting.get()).placedText({ path }, ...asked),
    },
    pdfText: { pagesOf: async (sha256) => (await text.get()).pagesOf(sha256) },
    reportsView: {
      filter: async () => (await reports.loaded())?.narrowed(),
      onDidChange: reports.onDidChangeTreeData,
    },
    showResults: async (results) => (await panels.get()).open({ kind: 'results', subject: results.subject }, results),
    onDidRemoveLibrary: changed.libraryRemoved.event,
    publishedElsewhere: async (...asked) => (await parts.get()).publishedElsewhere(...asked),
  };

  const commands: CommandLoaders = {
    downloads: async () => (await import('../editor/downloads/commands.ts')).commandsOf(await downloads.get()),
    text: () => textCommands.get(),
    evidence: () => evidence.get(),
    connections: async () => {
      const [made, { signIn }, { switchConnection }, { openDemo }] = await Promise.all([
        connections.get(),
        import('../editor/signin/signIn.ts'),
        import('../editor/signin/switchConnection.ts'),
        import('../editor/demo/demoLibrary.ts'),
      ]);
      return {
        signIn: () => signIn(made),
        signOut: () => made.signOut(),
        switchConnection: () => switchConnection(made),
        openDemoLibrary: async () => openDemo(services, await parts.get()),
      };
    },
    status: async () => (await import('../editor/status/usageStatus.ts')).statusCommands(app, status),
    sync: async () => (await import('../editor/sync/autoSync.ts')).syncCommands(await autoSync.get()),
    favorites: async () =>
      (await import('../editor/favorites/commands.ts')).favoriteCommands(services, await favorites.get(), treeDrag),
    watchlist: async () => (await import('../editor/trees/commands.ts')).watchlistCommands(app, watchlist),
    reports: async () => (await import('../editor/trees/commands.ts')).reportsCommands(app, await reports.tree()),
    changes: async () => ({
      async markAllSeen() {
        await (await services.library()).library.markSeen();
        (await changes.loaded())?.reload();
      },
    }),
    find: async () => (await import('../editor/find/find.ts')).findCommands(app, changed.insertKey),
    documents: () => documents.get(),
    panels: async () =>
      (await import('../editor/panels/commands.ts')).panelCommands(await panelPorts.get(), await panels.get()),
    resolve: async () => (await import('../editor/resolve/commands.ts')).resolveCommands(app),
    pdf: async () => {
      const { openFieldGuide } = await import('../editor/pdf/fieldGuide.ts');
      const { toggleFolderPreview } = await import('../editor/pdf/preview.ts');
      return {
        openFieldGuide: () => openFieldGuide(services, extension.globalStorageUri),
        togglePdfPreview: (pdf) => toggleFolderPreview(pdf),
      };
    },
    tools: async () => {
      const made = await tools.get();
      return { copyMcpConfiguration: () => made.copyConfiguration() };
    },
  };
  return {
    ...{ app, commands, changed, connections, autoSync, status, downloads, marks, index, text },
    ...{ documents, quoting, evidence, panels, tools, watchlist, reports, changes },
    dispose: () => store.dispose(),
  };
}

/** Remembers opened pages. A row of a tree opens its page by a command of the editor itself. */
function noteOpenedPages({ extension, log, services }: App): Disposable {
  const note = async (key: NamedKey) => {
    if (key.kind === 'report') await setContextKey('reportLibrary.didRead', true);
    const { noteOpened } = await import('../editor/find/find.ts');
    await noteOpened(services, extension.globalState, key.kind === 'report' ? key.reportId : key.companyKey);
  };
  // A tab restored with its window was opened earlier and fires no event.
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
    for (const tab of opened) {
      const key = panelOf(tab);
      if (key?.kind === 'report' || key?.kind === 'company')
        note(key).catch((error: unknown) => log.warn(`What was opened is not kept: ${String(error)}`));
    }
  });
}
