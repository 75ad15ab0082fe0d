import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { setContextKey } from '../editor/common/commands.ts';
import { keptHint, secretPrefix } from '../editor/common/contributions.ts';
import { problemText } from '../editor/common/messages.ts';
import type { Features } from './features.ts';

/** Wait after a session or a download, in ms, before PDFs begin to be read. */
const restBeforeReading = 5_000;

type Follow<Name extends keyof Features> = Pick<Features, Name | 'app'>;

/** Starts what features do by themselves: they follow the session, other windows and files. */
export function followEvents(features: Features): Disposable {
  const store = new DisposableStore();
  resumeDownloads(features);
  showEvidence(features.app);
  for (const follow of [followConnections, showStatus, leadTools, refreshMarks, readPdfs, wakeSync])
    store.add(follow(features));
  return store;
}

function followConnections({ app, connections }: Follow<'connections'>): Disposable {
  const { services, extension } = app;
  const following = new DisposableStore();
  following.add(
    services.onDidChangeSession(async (session) => {
      if (session.kind === 'unknown') return;
      void setContextKey('reportLibrary.loaded', false);
      void setContextKey('reportLibrary.session', session.kind);
      void setContextKey('reportLibrary.signedIn', 'connection' in session);
      (await connections.get()).onSession(session);
    }),
  );
  following.add(
    extension.secrets.onDidChange(async ({ key }) => {
      if (key.startsWith(secretPrefix) && services.session.kind !== 'unknown')
        await (await connections.get()).onSecrets(key);
    }),
  );
  return following;
}

function showStatus({ app, status }: Follow<'status'>): Disposable {
  return app.services.onDidChangeSession((session) => {
    if ('connection' in session) runInBackground(app, 'The status bar could not be filled', () => status.get());
  });
}

function leadTools({ app, tools }: Follow<'tools'>): Disposable {
  const change = async () => (await tools.get()).change();
  return app.services.onDidChangeSession(() =>
    runInBackground(app, 'The tools for assistants could not be loaded', change),
  );
}

function runInBackground({ log }: Features['app'], failed: string, work: () => Promise<unknown>): void {
  work().catch((error: unknown) => log.error(`${failed}: ${problemText(error)}`));
}

export function showEvidence({ extension }: Pick<Features['app'], 'extension'>): void {
  if (extension.workspaceState.get(keptHint)) void setContextKey('reportLibrary.evidence', true);
}

function refreshMarks({ app, changed }: Follow<'changed'>): Disposable {
  return app.sync.onDidChangeState(() => changed.marks.fire(undefined));
}

/** A batch was cut off in this workspace: the only case in which files are checked without being asked for. */
function resumeDownloads({ app, downloads }: Follow<'downloads'>): void {
  const look = async () => (await downloads.get()).interrupted.look();
  if (app.extension.workspaceState.get('reportLibrary.downloads.pending'))
    runInBackground(app, 'Interrupted downloads could not be looked for', look);
}

/** Reads PDFs a while after a sign-in or a download. */
export function readPdfs({ app, text, index }: Follow<'text' | 'index'>): Disposable {
  const { services, log } = app;
  const reading = new DisposableStore();
  let timer: NodeJS.Timeout | undefined;
  reading.add({ dispose: () => clearTimeout(timer) });
  const start = async () => {
    try {
      // For signed-out users, leftover text may have to be deleted.
      if ('connection' in services.session || (await (await index.get()).exists())) await text.get();
    } catch (error) {
      log.warn(`PDFs are not read: ${problemText(error)}`);
    }
    timer = undefined;
  };
  const startSoon = () => {
    if (text.made || services.session.kind === 'unknown') return;
    timer ??= setTimeout(start, restBeforeReading);
  };
  reading.add(services.onDidChangeSession(startSoon));
  reading.add(app.downloads.onDidChange(startSoon));
  reading.add(
    app.onDidRemoveLibrary(() =>
      runInBackground(app, 'The text of PDFs could not be deleted', async () => (await text.get()).forgetUnpublished()),
    ),
  );
  return reading;
}

function wakeSync({ autoSync }: Follow<'autoSync'>): Disposable {
  return vscode.window.onDidChangeWindowState(async ({ focused }) => {
    if (focused && autoSync.made) (await autoSync.get()).wake();
  });
}
