import { lstat } from 'node:fs/promises';
import { l10n } from '../base/l10n.ts';
import { Semaphore } from '../base/semaphore.ts';
import { type GitRewrite, mayBeRewritten } from '../machine/gitRewrites.ts';
import { DiskProblem, type FileHash, present } from './disk.ts';
import { type FolderAt, inFolder, readLock } from './lockFile.ts';
import { isOfOtherService, LockProblem, type LockRow } from './manifest.ts';
import { type KnownReport, publishedHash, type Upstream } from './ports.ts';
import { fileThere, found, knownFile, type LookedAt, pathOf } from './publish.ts';

/**
 * What a downloaded file is. Only bytes whose hash agrees with the published one are `verified`: a lock file may have
 * been written by anyone, so bytes that agree with it alone are `matches-lock`. `unverified`: no hash was published to
 * compare with; `newer`: the service publishes other bytes by now; `other-key`: the row names the report by a key that
 * it never had; `lfs-pointer` and `line-ends`: what Git wrote instead; `unread`: not checked yet.
 */
export type FileState =
  | 'verified'
  | 'matches-lock'
  | 'unverified'
  | 'newer'
  | 'other-key'
  | 'edited'
  | GitRewrite['kind']
  | 'missing'
  | 'unreadable'
  | 'unread';

/** How a file stands to its row: `same` once its bytes were read and have the row's hash. */
export interface HeldFile {
  readonly row: LockRow;
  readonly state: 'same' | 'edited' | GitRewrite['kind'] | 'missing' | 'unreadable' | 'unread';
  /** Of its bytes, once they were read. */
  readonly sha256?: string;
  /** Why it could not be read, or what Git did to it and what to do, fit to be shown. */
  readonly reason?: string;
  /** Whether Git only rewrote the row's very bytes, so that nothing is lost when they replace the file. */
  readonly isRestorable?: boolean;
}

/** What a check of one file of a downloads folder found. */
export interface FileCheck extends Omit<HeldFile, 'state'> {
  readonly state: FileState;
}

/** The state of a file, by what is known of its report at the service. */
export function stateOf({ row, state }: HeldFile, upstream: Upstream | undefined): FileState {
  if ((state === 'same' || state === 'unread') && hasOtherKey(row, upstream)) return 'other-key';
  if (state !== 'same') return state;
  if (!upstream) return row.verified === false ? 'unverified' : 'matches-lock';
  if (upstream.sha256 === null) return 'unverified';
  return upstream.sha256 === row.sha256 ? 'verified' : 'newer';
}

/** Whether a row names its report by a key that it neither has nor had: its bytes may be those of any report. */
export function hasOtherKey({ report_key }: LockRow, upstream: Upstream | undefined): boolean {
  return upstream?.keys?.has(report_key) === false;
}

/** The part of a library on this machine that says what its service publishes. */
interface PublishedReports {
  reports(
    query: {
      readonly among: readonly { readonly ids: readonly number[]; readonly is: boolean }[];
      readonly state: 'all';
    },
    page: { readonly limit: number },
  ): Promise<{
    readonly items: readonly (StateOfReport &
      Pick<LockRow, 'report_id' | 'report_key'> & { readonly sha256: string | null })[];
  }>;
  report(
    id: number,
  ): Promise<
    (StateOfReport & { readonly report: Pick<KnownReport, 'content_sha256' | 'report_id' | 'report_key'> }) | null
  >;
  /** The keys that these reports had before (RID-2). */
  formerKeys(reportIds: readonly number[]): Promise<readonly Pick<LockRow, 'report_id' | 'report_key'>[]>;
}
interface StateOfReport {
  readonly state: string;
}

/** What a library on this machine knows of reports at the service; those that it doesn't know are left out. */
export async function upstreamIn(
  library: PublishedReports,
  reportIds: readonly number[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, Upstream>> {
  const known = new Map<number, Upstream>();
  const { items } = await library.reports(
    { among: [{ ids: reportIds, is: true }], state: 'all' },
    { limit: reportIds.length },
  );
  const keys = new Map<number, Set<string>>();
  for (const { report_id, report_key, sha256, state } of items) {
    keys.set(report_id, new Set([report_key]));
    known.set(report_id, { sha256: publishedHash({ content_sha256: sha256 }), withdrawn: state !== 'listed' });
  }
  for (const id of reportIds) {
    signal?.throwIfAborted();
    // A lock may still name a report by an id that a merge retired (RID-1), whose own record is withdrawn then.
    const stored = known.get(id)?.withdrawn === false ? undefined : await library.report(id);
    if (!stored) continue;
    const { report, state } = stored;
    // Of an id that was retired before the library was loaded, the keys are not known.
    keys.get(id)?.add(report.report_key);
    known.set(id, { report_id: report.report_id, sha256: publishedHash(report), withdrawn: state !== 'listed' });
  }
  const leadTo = Map.groupBy(known, ([id, { report_id = id }]) => report_id);
  for (const { report_id, report_key } of await library.formerKeys([...new Set([...known.keys(), ...leadTo.keys()])]))
    for (const id of [report_id, ...(leadTo.get(report_id)?.map(([id]) => id) ?? [])]) keys.get(id)?.add(report_key);
  return new Map([...known].map(([id, upstream]) => [id, { ...upstream, keys: keys.get(id) }]));
}

/**
 * Looks at the file of a lock's row.
 * @param how `glance` reads nothing: a file that nobody has read yet is `unread`. `read` reads what this process has
 * neither read nor published since it changed.
 * @throws the signal's reason when aborted
 */
export async function lookAtFile(
  at: FolderAt,
  row: LockRow,
  how: 'glance' | 'read',
  signal?: AbortSignal,
): Promise<HeldFile> {
  const place = inFolder(at, row.path);
  const stats = await found(() => lstat(pathOf(place)), signal);
  if (!stats || 'reason' in stats) return heldFile(row, stats);
  const known = knownFile(place, stats, row.bytes);
  if (known) return heldFile(row, known);
  if (how === 'read') {
    const there = await found(() => fileThere(place, { signal, bytes: row.bytes }), signal);
    return heldFile(row, there);
  }
  // Never the row's word alone: its size is a reason to doubt, its time is none to believe.
  const { size } = stats;
  const isUnread = size === row.bytes || mayBeRewritten(size, row.bytes);
  return { row, state: isUnread ? 'unread' : 'edited' };
}

function heldFile(row: LockRow, there: LookedAt<FileHash>): HeldFile {
  if (!there) return { row, state: 'missing' };
  if ('reason' in there) return { row, state: 'unreadable', reason: there.reason };
  const { sha256, rewrite } = there;
  if (sha256 === row.sha256) return { row, state: 'same', sha256 };
  const isOfRow = rewrite?.sha256 === row.sha256;
  if (!rewrite || (rewrite.kind === 'line-ends' && !isOfRow)) return { row, state: 'edited', sha256 };
  return { row, state: rewrite.kind, sha256, isRestorable: isOfRow, reason: rewriteReason(rewrite.kind, isOfRow) };
}

/** What Git did to the file of a row, and what to do; undefined where it did nothing. Reads only what it may be. */
export async function gitProblem(at: FolderAt, row: LockRow): Promise<string | undefined> {
  const stats = await found(() => lstat(pathOf(inFolder(at, row.path))));
  if (!stats || 'reason' in stats || !mayBeRewritten(stats.size, row.bytes)) return undefined;
  const { isRestorable, reason } = await lookAtFile(at, row, 'read');
  return isRestorable === undefined ? undefined : reason;
}

/** What Git did to a file, and what to do. */
function rewriteReason(kind: GitRewrite['kind'], isOfRow: boolean): string {
  if (kind === 'line-ends')
    return l10n.t('Git changed the line endings of this PDF. Restore it, and mark *.pdf as binary in .gitattributes.');
  return isOfRow
    ? l10n.t('This is a Git LFS pointer, not the PDF. Run git lfs pull, or restore the PDF.')
    : l10n.t('This is a Git LFS pointer to another file, not the PDF. Run git lfs pull, or move it away and restore.');
}

/** Tells how the files of a downloads folder stand to its lock, cheaply enough for a file list. */
export class HeldFiles {
  /** True where the lock, when it was last read, was of another service: its ids mean other reports there. */
  isForeign = false;
  readonly #at: FolderAt;
  readonly #turns = new Semaphore(1);
  readonly #onProblem: (problem: LockProblem) => void;
  readonly #origin: () => string | null | undefined;
  #rows: readonly LockRow[] = [];
  /** The rows by path, and whose they are, as {@link changed} told them last; undefined before the first look. */
  #told: { readonly rows: ReadonlyMap<string, LockRow>; readonly isForeign: boolean } | undefined;
  /** What a look at its row's path found among others, as far as somebody asked. */
  readonly #there = new Map<string, Promise<ReadonlySet<string>>>();

  /**
   * @param onProblem told when the lock can't be read; until it can, what it said before counts
   * @param origin of the service whose reports are asked for, as for {@link isOfOtherService}
   */
  constructor(
    at: FolderAt,
    onProblem: (problem: LockProblem) => void = () => {},
    origin: () => string | null | undefined = () => undefined,
  ) {
    this.#at = at;
    this.#onProblem = onProblem;
    this.#origin = origin;
  }

  /**
   * Looks at a file, and reads it if need be; one file at a time. Undefined for a file that the lock does not name.
   * @param path below the downloads folder, parts separated by `/`
   */
  async look(path: string, signal?: AbortSignal): Promise<HeldFile | undefined> {
    const row = (await this.#read()).find((one) => one.path === path);
    return row && this.#turns.run(() => lookAtFile(this.#at, row, 'read', signal), true, signal);
  }

  /** The files of those of these reports that the lock names, in one look that reads none of them. */
  async glance(reportIds: readonly number[]): Promise<HeldFile[]> {
    const wanted = new Set(reportIds);
    const held = (await this.#read()).filter((row) => !this.isForeign && wanted.has(row.report_id));
    return Promise.all(held.map((row) => lookAtFile(this.#at, row, 'glance')));
  }

  /** The reports that the lock names and whose file is there. Each file is looked for once, until {@link forget}. */
  async here(): Promise<number[]> {
    const rows = await this.#read();
    if (this.isForeign) return [];
    const unread = rows.filter(({ path }) => !this.#there.has(path));
    const look = present(unread.map(({ path }) => this.#pathOf(path)));
    for (const { path } of unread) this.#there.set(path, look);
    const looks = rows.map(({ path }) => this.#there.get(path));
    const here: number[] = [];
    for (const [index, { report_id, path }] of rows.entries())
      if ((await looks[index])?.has(this.#pathOf(path))) here.push(report_id);
    return here;
  }

  /** Paths whose row came, went or is another one since this was asked last, or since the first look at a file. */
  async changed(): Promise<string[]> {
    const { rows: before, isForeign } = this.#told ?? { rows: new Map<string, LockRow>(), isForeign: false };
    const rows = byPath(await this.#read());
    this.#told = { rows, isForeign: this.isForeign };
    const isOther = (path: string) => !isSameRow(before.get(path), rows.get(path)) || isForeign !== this.isForeign;
    return [...new Set([...before.keys(), ...rows.keys()])].filter(isOther);
  }

  /** A file or a whole folder came or went: its files are looked for again. True when any was looked for before. */
  forget(path: string): boolean {
    let isKnown = this.#there.delete(path);
    for (const file of this.#there.keys())
      if (path === '' || file.startsWith(`${path}/`)) isKnown = this.#there.delete(file);
    return isKnown;
  }

  #pathOf(path: string): string {
    return pathOf(inFolder(this.#at, path));
  }

  async #read(): Promise<readonly LockRow[]> {
    try {
      const lock = await readLock(this.#at);
      this.#rows = lock.reports;
      this.isForeign = isOfOtherService(lock, this.#origin());
      this.#told ??= { rows: byPath(lock.reports), isForeign: this.isForeign };
    } catch (error) {
      if (!(error instanceof LockProblem || error instanceof DiskProblem)) throw error;
      if (error instanceof LockProblem) this.#onProblem(error);
    }
    return this.#rows;
  }
}

function byPath(rows: readonly LockRow[]): ReadonlyMap<string, LockRow> {
  return new Map(rows.map((row) => [row.path, row]));
}

/** Whether two rows of a path mark its file alike. */
function isSameRow(a: LockRow | undefined, b: LockRow | undefined): boolean {
  return (
    a?.sha256 === b?.sha256 && a?.report_id === b?.report_id && a?.verified === b?.verified && a?.bytes === b?.bytes
  );
}

export interface LookAtFilesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((checked: number) => void) | undefined;
}

/** Files read at once: one is hashed while the system reads the others. */
const filesAtOnce = 4;

/**
 * Reads the file of every row, whatever was known of it, and compares its hash; in the order of the rows.
 * @throws the signal's reason when aborted
 */
export async function lookAtFiles(
  at: FolderAt,
  rows: readonly LockRow[],
  { signal, onProgress }: LookAtFilesOptions = {},
): Promise<readonly HeldFile[]> {
  const held: HeldFile[] = [];
  let checked = 0;
  // The largest first, so that no large file is left to be read alone at the end.
  const order = [...rows.entries()].sort(([, a], [, b]) => b.bytes - a.bytes).values();
  const read = async () => {
    for (const [index, row] of order) {
      const file = inFolder(at, row.path);
      held[index] = heldFile(row, await found(() => fileThere(file, { signal, anew: true, bytes: row.bytes }), signal));
      onProgress?.(++checked);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, read));
  return held;
}
