import { mkdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { silentLogger } from '../base/logger.ts';
import { once } from '../base/once.ts';
import { type FolderAt, inFolder, readLock } from '../downloads/lockFile.ts';
import { type Lock, type LockRow, lockName } from '../downloads/manifest.ts';
import { templateProblem } from '../downloads/path.ts';
import type { ContentStore, DownloadResult, LinkSource, UpstreamPort } from '../downloads/ports.ts';
import { isThere, notThroughLinks, onDisk, pathOf, statsOf } from '../files/guard.ts';
import { machineFolder } from '../machine/machineState.ts';
import type { CommandContext } from './context.ts';
import { UsageProblem } from './exit.ts';
import { shown } from './output.ts';

/** The downloads folder that a command line means. */
export function folderAt({ values }: Pick<CommandContext, 'values'>): FolderAt {
  const path = resolve(values.folder ?? 'reports');
  return { root: dirname(path), folder: basename(path) };
}

/** A path below the folder's root, as it is from where the command was run. */
export function pathFromHere(at: FolderAt, path: string): string {
  return relative(process.cwd(), join(at.root, path)).replaceAll('\\', '/');
}

/** The lock of a folder, if there is one. @throws LockProblem or DiskProblem */
export async function lockIfThere(context: CommandContext): Promise<Lock | undefined> {
  try {
    return await readLock(folderAt(context), context.signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The lock of a folder, which has to be there. @throws UsageProblem, LockProblem or DiskProblem */
export async function lockThere(context: CommandContext): Promise<Lock> {
  const at = folderAt(context);
  const lock = await lockIfThere(context);
  if (!lock || (lock.reports.length === 0 && Object.keys(lock.other).length === 0)) {
    const place = pathFromHere(at, `${at.folder}/${lockName}`);
    const what = (await isThere(join(at.root, at.folder, lockName)))
      ? `${shown(place)} lists no reports`
      : `There is no ${shown(place)}`;
    throw new UsageProblem(`${what}. Download reports first, or give --folder FOLDER.`);
  }
  return lock;
}

/** The rows of a lock whose PDF is here, no link on its way, with what the disk says of it. */
export async function pdfsHere(at: FolderAt, rows: readonly LockRow[]) {
  const named = rows.map((row) => ({ row, path: `${at.folder}/${row.path}` }));
  const plain = await notThroughLinks(
    at.root,
    named.map(({ path }) => path),
  );
  const found = named.filter(({ path }) => plain.has(path)).map(({ row }) => ({ row, file: fileIn(at, row.path) }));
  const stats = await statsOf(found.map(({ file }) => file));
  return found.flatMap((one, index) => {
    const there = stats[index];
    return there?.isFile() ? [{ ...one, stats: there }] : [];
  });
}

/** The PDFs of a folder, with the machine's store of them. Nothing is asked of the service yet. */
export async function openFolder(context: CommandContext, source: LinkSource, mayMake = false) {
  const at = folderAt(context);
  const { path: template } = context.values;
  const problem = template === undefined ? undefined : templateProblem(template);
  if (problem) throw new UsageProblem(problem);
  if (mayMake) await onDisk(() => mkdir(at.root, { recursive: true }));
  // Loaded here: what reads files alone starts without them.
  const [{ ContentCache }, { DownloadFolder }, { DownloadQueue }, { machineLeases }] = await Promise.all([
    import('../downloads/cache.ts'),
    import('../downloads/folder.ts'),
    import('../downloads/queue.ts'),
    import('../machine/lease.ts'),
  ]);
  const directory = join(machineFolder(), 'pdf');
  const shared = { clock: systemClock, logger: silentLogger };
  const stores = [new ContentCache({ directory, ...shared }), ...(await teamStore(context))];
  const queue = new DownloadQueue({ source, stores, lease: machineLeases().lease, ...shared });
  const upstream: UpstreamPort = (ids, signal) => upstreamHere(context, ids, signal);
  return new DownloadFolder({ ...at, template, queue, source, upstream, ...shared });
}

/** Published hashes and states from the account's library on this computer; empty without a library. */
export async function upstreamHere(
  context: CommandContext,
  reportIds: readonly number[],
  signal?: AbortSignal,
): ReturnType<UpstreamPort> {
  const library = await (await import('./sync.ts')).libraryThere(context);
  if (!library) return new Map();
  const { upstreamIn } = await import('../downloads/verify.ts');
  return upstreamIn(library.withSignal(signal), reportIds, signal);
}

/** The absolute path of the folder that a team shares, as it is set; undefined for none. @throws UsageProblem */
export function sharedFolder(): string | undefined {
  const folder = process.env.REPORT_LIBRARY_SHARED_STORE?.trim();
  if (!folder || isAbsolute(folder)) return folder || undefined;
  throw new UsageProblem('REPORT_LIBRARY_SHARED_STORE is not an absolute path.');
}

/** The team's store, for what the library of the account lists; none where it isn't set. */
async function teamStore(context: CommandContext): Promise<ContentStore[]> {
  const folder = sharedFolder();
  if (folder === undefined || context.account.isDemo) return [];
  const warn = (message: string) => context.out.warn(message);
  const library = once(async () => {
    const found = await (await import('./sync.ts')).libraryThere(context);
    if (!found) warn(`The shared store is not used. ${await withoutLibrary(context)}`);
    return found;
  });
  const isPublished = async (sha256: string) =>
    ((await (await library.get())?.reportsOfHashes([sha256])) ?? []).length > 0;
  const logger = { ...silentLogger, warn };
  const { sharedStore } = await import('../downloads/sharedStore.ts');
  return [sharedStore({ folder: () => folder, isPublished, clock: systemClock, logger })];
}

/** What to do for a library, by which the shared store is judged. */
async function withoutLibrary({ account }: CommandContext): Promise<string> {
  const hasKey = await account.key().then(
    () => true,
    () => false,
  );
  return account.baseUrl !== undefined && hasKey
    ? 'Run report-library sync first: it holds what your license lists.'
    : 'Set the base URL and the API key first: by their library it is known what your license lists.';
}

/** A result as the JSON document has it. */
export function resultDocument(
  at: FolderAt,
  { report_id, report, status, path, sha256, cause, reason }: DownloadResult,
) {
  return {
    ...{ report_id, report_key: report.report_key, status },
    ...(path !== undefined && { path: pathFromHere(at, path) }),
    ...(sha256 !== undefined && { sha256 }),
    ...(cause !== undefined && { cause }),
    ...(reason !== undefined && { reason: reasonOf(cause, reason) }),
  };
}

/** Why a report has no file, with what to do here. */
export function reasonOf(cause: DownloadResult['cause'] | undefined, reason = ''): string {
  if (cause === 'changed-upstream')
    return 'The service now has another version of this PDF. Run report-library update to get it.';
  if (cause === 'unauthorized') return 'The service does not accept the API key. Check the key.';
  return reason;
}

/** Absolute path of a file of the folder. */
export function fileIn(at: FolderAt, path: string): string {
  return pathOf(inFolder(at, path));
}

/** `12 downloaded, 2 unchanged`, for a person. */
export function countWords(words: readonly string[]): string {
  const counts = Map.groupBy(words, (word) => word);
  return [...counts].map(([word, of]) => `${of.length} ${word}`).join(', ') || 'nothing';
}
