import * as vscode from 'vscode';
import { type Disposable, type DisposableStore, Emitter, type Event } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import { registerCommands } from '../common/commands.ts';
import { downloadsCommands, viewIds } from '../common/contributions.ts';
import { registerTree } from '../common/lazyTree.ts';
import { showProblem } from '../common/messages.ts';
import type { PdfMarks } from '../common/pdfMarks.ts';
import type { DownloadsOptions, OpenedDownloads } from './commands.ts';
import type { LockProblemListener } from './decorations.ts';
import type { DownloadsTree } from './tree.ts';
import type { DownloadNode } from './treeItems.ts';
import type { WorkspaceDownloads } from './workspaceDownloads.ts';

export interface DownloadsApi extends Disposable {
  /** Made, and its code loaded, on first use. */
  downloads(): Promise<WorkspaceDownloads>;
  /** Fires with the ids of reports whose local file changed. */
  readonly onDidChange: Event<readonly number[]>;
  /** Notes what others downloaded, and told by themselves. */
  noteChanged(reportIds: readonly number[]): void;
  readonly marks: PdfMarks;
}

/** The commands around PDFs, the Downloads view, and the marks on PDFs in file lists. */
export function registerDownloads(options: DownloadsOptions): DownloadsApi {
  const { log, state, treeDrag } = options;
  const changed = new Emitter<readonly number[]>();
  const noteChanged = (ids: readonly number[]) => changed.fire(ids);
  const commands = () => import('./commands.ts');
  const { store, view } = registerTree<DownloadNode, DownloadsTree>(viewIds.downloads, treeDrag, {}, async () =>
    (await commands()).treeOf(await opened.get()),
  );
  store.add(changed);
  const opened = once(
    async (): Promise<OpenedDownloads> => store.add((await commands()).openDownloads(options, view, noteChanged)),
  );
  // A batch was cut off in this workspace: the only case in which anything is looked for by itself.
  if (state.get('reportLibrary.downloads.pending'))
    opened.get().then(
      ({ interrupted }) => interrupted.look(),
      (error: unknown) => log.error(`Interrupted downloads could not be looked for: ${error}`),
    );

  store.add(registerCommands(downloadsCommands, log, async () => (await commands()).commandsOf(await opened.get())));
  return {
    downloads: async () => (await opened.get()).downloads,
    onDidChange: changed.event,
    noteChanged,
    marks: markPdfs(store, options, (root, problem) => {
      opened
        .get()
        .then(({ downloads }) => downloads.tellLockProblem(root, problem))
        .catch((error: unknown) => showProblem(error, log));
    }),
    dispose: () => store.dispose(),
  };
}

/** Marks PDFs in file lists and trees; the code for it is loaded when the first one is shown. */
function markPdfs(store: DisposableStore, options: DownloadsOptions, onLockProblem: LockProblemListener): PdfMarks {
  const changed = store.add(new vscode.EventEmitter<vscode.Uri[] | undefined>());
  const marks = once(async () => {
    const [{ PdfDecorations }, { originInUse }] = await Promise.all([
      import('./decorations.ts'),
      import('./boundSource.ts'),
    ]);
    const { upstream, globalFolder, services } = options;
    return store.add(new PdfDecorations(upstream, globalFolder, changed, onLockProblem, () => originInUse(services)));
  });
  store.add(options.onDidChangeUpstream(() => changed.fire(undefined)));
  store.add(
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      async provideFileDecoration(uri, token) {
        if (uri.scheme !== 'file' || !uri.path.endsWith('.pdf')) return undefined;
        return (await marks.get()).decoration(uri, token);
      },
    }),
  );
  return {
    look: async (ids) => (await marks.get()).look(ids),
    here: async () => (await marks.get()).here(),
    onDidChange: changed.event,
  };
}
