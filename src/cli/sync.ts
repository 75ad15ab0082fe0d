import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../base/words.ts';
import { isThere } from '../files/guard.ts';
import type { Library } from '../library/library.ts';
import { openLibrary } from '../library/library.ts';
import { libraryName } from '../library/libraryName.ts';
import { SyncEngine } from '../library/sync/syncEngine.ts';
import { machineFolder } from '../machine/machineState.ts';
import { type Connected, requestHabits, service } from './connect.ts';
import { type CommandContext, type CommandOutcome, scriptOf } from './context.ts';
import { exit, UsageProblem } from './exit.ts';

/** Days after which a sync checks every report; the editor's own default. */
const fullWalkDays = 7;

/** Where the library of the command line is kept for an account; the demo's lives as long as the command. */
async function libraryPath({ store, account }: CommandContext, connected: Omit<Connected, 'client'>): Promise<string> {
  if (!account.isDemo) return join(machineFolder(), 'library', libraryName(connected));
  const folder = await mkdtemp(join(tmpdir(), 'report-library-'));
  store.add({ dispose: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) });
  return join(folder, 'demo.sqlite');
}

/** The library of the command line, which is not the editor's: the two may be of different versions. */
export async function openOwnLibrary(context: CommandContext, connected: Omit<Connected, 'client'>) {
  const path = await libraryPath(context, connected);
  const library = openLibrary({ path, worker: scriptOf('library/worker'), pollInterval: 0 });
  context.store.add({ dispose: () => void library.dispose() });
  return { path, library };
}

/** The account's library as last synced; undefined where this machine has none. Never contacts the service. */
export async function libraryThere(context: CommandContext): Promise<Library | undefined> {
  const { account } = context;
  if (account.isDemo || account.baseUrl === undefined) return undefined;
  const key = await account.key().catch(() => undefined);
  const connected = key && { baseUrl: account.baseUrl, key };
  if (!connected || !(await isThere(await libraryPath(context, connected)))) return undefined;
  const { library } = await openOwnLibrary(context, connected);
  return (await library.syncRecord()).phase === 'empty' ? undefined : library;
}

export async function sync(context: CommandContext): Promise<CommandOutcome> {
  const { out, signal, values } = context;
  const connected = await service(context).get();
  const own = await openOwnLibrary(context, connected);
  const { library } = own;
  const outcome = await syncLibrary(context, connected, own, values.full === true);
  const { added, changed, withdrawn, removed, quarantined: unreadable, question, ran } = outcome;
  const { listed, companies } = await library.withSignal(signal).totals();
  out.line(
    ran
      ? `${added} added, ${changed} changed, ${withdrawn} withdrawn, ${removed} removed.`
      : 'Another process is syncing. Run it again later.',
  );
  const reports = counted(listed, '1 report', '{0} reports');
  out.line(`${reports} of ${counted(companies, '1 company', '{0} companies')}.`);
  if (unreadable > 0) {
    const setAside = counted(
      unreadable,
      '1 record could not be read and was set aside.',
      '{0} records could not be read and were set aside.',
    );
    out.warn(`${setAside} Look for a newer version of report-library.`);
  }
  if (question)
    out.warn(
      `The full check did not find ${question.missing} of ${question.held} reports. That is so many that nothing was ` +
        'removed: the license may have changed, or the service may have a problem. Run report-library sync --full later.',
    );
  return {
    code: ran ? exit.same : exit.differs,
    document: { ran, added, changed, withdrawn, removed, unreadable, listed, companies },
  };
}

export async function syncLibrary(
  { out, signal }: CommandContext,
  { client }: Connected,
  { path, library }: { readonly path: string; readonly library: Library },
  isFull: boolean,
) {
  const engine = new SyncEngine({
    ...{ library, path },
    source: client,
    requestsPerSecond: () => requestHabits().requestsPerSecond,
    fullWalkDays: () => fullWalkDays,
  });
  // The total is known once the sync has begun.
  let onProgress: ((done: number) => void) | undefined;
  engine.onDidProgress(({ reports, total }) => {
    if (total === null) return;
    onProgress ??= out.progress('Syncing', total);
    onProgress(Math.min(reports, total));
  });
  try {
    return await (isFull ? engine.fullWalk({ signal }) : engine.sync({ signal }));
  } finally {
    engine.dispose();
  }
}

/** The library as it was synced last; that of the demo is loaded first. @throws UsageProblem where there is none yet */
export async function syncedLibrary(context: CommandContext): Promise<Library> {
  const connected = await service(context).get();
  const own = await openOwnLibrary(context, connected);
  const { library } = own;
  if (context.account.isDemo) await syncLibrary(context, connected, own, false);
  const { phase } = await library.syncRecord();
  if (phase === 'loading')
    context.out.warn('The library is not loaded completely, so reports are missing. Run report-library sync.');
  if (phase === 'empty')
    throw new UsageProblem('The library has not been loaded on this computer. Run report-library sync first.');
  return library;
}
