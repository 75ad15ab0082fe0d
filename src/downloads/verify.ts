import { lstat } from 'node:fs/promises';
import { l10n } from '../base/l10n.ts';
import { Semaphore } from '../base/semaphore.ts';
import { DiskProblem, pathOf, present } from '../files/guard.ts';
import { type FileHash, fileThere, found, knownFile, type LookedAt } from '../files/hash.ts';
import { type GitRewrite, mayBeRewritten } from '../machine/gitRewrites.ts';
import { type FolderAt, inFolder, readLock } from './lockFile.ts';
import { isOfOtherService, LockProblem, type LockRow } from './manifest.ts';
import { type KnownReport, publishedHash, type Upstream } from './ports.ts';

/** The file of a row: `same` once its bytes were read and have the row's hash; otherwise as in {@link FileState}. */
export interface HeldFile {
  readonly row: LockRow;
  readonly state: 'same' | 'edited' | GitRewrite['kind'] | 'missing' | 'unreadable' | 'unread';
  /** Of its bytes, once they were read. */
  readonly sha256?: string;
  /** Why it could not be read, or what Git did to it and what to do; for a person. */
  readonly reason?: string;
  /** Whether Git only rewrote the row's very bytes, so that nothing is lost when they replace the file. */
  readonly isRestorable?: boolean;
}

/**
 * The state of a downloaded file. Anyone may write a lock file, so bytes that agree with it alone are `matches-lock`.
 * `unverified`: no hash was published; `other-key`: the row's key was never the report's; `unread`: not checked yet.
 */
export type FileState =
  | Exclude<HeldFile['state'], 'same'>
  | 'verified'
  | 'matches-lock'
  | 'unverified'
  | 'newer'
  | 'other-key';

/** A checked file of a downloads folder. */
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

/** Whether a row's key is none that its report has or had: its bytes may be those of any report. */
export function hasOtherKey({ report_key }: LockRow, upstream: Upstream | undefined): boolean {
  return upstream?.keys?.has(report_key) === false;
}

type IdAndKey = Pick<LockRow, 'report_id' | 'report_key'>;

/** The part of a library on this machine that says what its service publishes. */
interface PublishedReports {
  reports(
    query: {
      readonly among: readonly { readonly ids: readonly number[]; readonly is: boolean }[];
      readonly state: 'all';
    },
    page: { readonly limit: number },
  ): Promise<{ readonly items: readonly (IdAndKey & { readonly sha256: string | null; readonly state: string })[] }>;
  report(
    id: number,
  ): Promise<{ readonly report: IdAndKey & Pick<KnownReport, 'content_sha256'>; readonly state: string } | null>;
  /** The keys that these reports had before (RID-2). */
  formerKeys(reportIds: readonly number[]): Promise<readonly IdAndKey[]>;
}

/** What a library on this machine knows of reports at the service; unknown ones are left out. */
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
    // A lock may still have an id that a merge retired (RID-1), whose own record is withdrawn then.
    const stored = known.get(id)?.withdrawn === false ? undefined : await library.report(id);
    if (!stored) continue;
    const { report, state } = stored;
    // The keys of an id that was retired before the library was loaded are unknown.
    keys.get(id)?.add(report.report_key);
    known.set(id, { report_id: report.report_id, sha256: publishedHash(report), withdrawn: state !== 'listed' });
  }
  const leadTo = Map.groupBy(known, ([id, { report_id = id }]) => report_id);
  for (const { report_id, report_key } of await library.formerKeys([...new Set([...known.keys(), ...leadTo.keys()])]))
    for (const id of [report_id, ...(leadTo.get(report_id)?.map(([id]) => id) ?? [])]) keys.get(id)?.add(report_key);
  return new Map([...known].map(([id, upstream]) => [id, { ...upstream, keys: keys.get(id) }]));
}

/**
 * Checks the file of a lock's row. `glance` reads nothing: an unknown file is `unread`. `read` reads what changed.
 * @throws the signal's reason when aborted
 */
export async function lookAtFile(
  at: FolderAt,
  row: LockRow,
  how: 'glance' | 'read',
  signal?: AbortSignal,
): Promise<HeldFile> {
  const file = inFolder(at, row.path);
  const stats = await found(() => lstat(pathOf(file)), signal);
  if (!stats || 'reason' in stats) return heldFile(row, stats);
  const known = knownFile(file, stats, row.bytes);
  if (known) return heldFile(row, known);
  if (how === 'read') return heldFile(row, await found(() => fileThere(file, { signal, bytes: row.bytes }), signal));
  // Another size than the row's proves an edit; the same size proves nothing.
  const isUnread = stats.size === row.bytes || mayBeRewritten(stats.size, row.bytes);
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

/** What Git did to the file of a row, and what to do; undefined where it did nothing. Reads only likely files. */
export async function gitProblem(at: FolderAt, row: LockRow): Promise<string | undefined> {
  const stats = await found(() => lstat(pathOf(inFolder(at, row.path))));
  if (!stats || 'reason' in stats || !mayBeRewritten(stats.size, row.bytes)) return undefined;
  const { isRestorable, reason } = await lookAtFile(at, row, 'read');
  return isRestorable === undefined ? undefined : reason;
}

function rewriteReason(kind: GitRewrite['kind'], isOfRow: boolean): string {
  if (kind === 'line-ends')
    return l10n.t('Git changed the line endings of this PDF. Restore it, and mark *.pdf as binary in .gitattributes.');
  return isOfRow
    ? l10n.t('This is a Git LFS pointer, not the PDF. Run git lfs pull, or restore the PDF.')
    : l10n.t('This is a Git LFS pointer to another file, not the PDF. Run git lfs pull, or move it away and restore.');
}

type Rows = ReadonlyMap<string, LockRow>;

/** The files of a downloads folder compared with its lock, cheaply enough for a file list. */
export class HeldFiles {
  /** True where the lock, when it was last read, was of another service: its ids mean other reports there. */
  isForeign = false;
  readonly #at: FolderAt;
  readonly #turns = new Semaphore(1);
  readonly #onProblem: (problem: LockProblem) => void;
  readonly #origin: () => string | null | undefined;
  #reports: readonly LockRow[] = [];
  /** The same by path. */
  #rows: Rows = new Map();
  /** What {@link changed} compares with; undefined before the first look. */
  #before: { readonly rows: Rows; readonly isForeign: boolean } | undefined;
  /** Existing files among the paths looked for together with each path. */
  readonly #there = new Map<string, Promise<ReadonlySet<string>>>();

  /**
   * @param onProblem called when the lock can't be read; until it can, its earlier rows count
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
   * Checks a file, and reads it if need be; one file at a time. Undefined for a file that the lock does not name.
   * @param path below the downloads folder, parts separated by `/`
   */
  async look(path: string, signal?: AbortSignal): Promise<HeldFile | undefined> {
    const row = (await this.#read()).get(path);
    return row && this.#turns.run(() => lookAtFile(this.#at, row, 'read', signal), true, signal);
  }

  /** The files of these reports, as far as the lock names them; none of them is read. */
  async glance(reportIds: readonly number[]): Promise<HeldFile[]> {
    const wanted = new Set(reportIds);
    const rows = [...(await this.#read()).values()].filter(({ report_id }) => wanted.has(report_id));
    return this.isForeign ? [] : Promise.all(rows.map((row) => lookAtFile(this.#at, row, 'glance')));
  }

  /** The reports of the lock whose file exists. Each file is looked for once, until {@link forget}. */
  async here(): Promise<number[]> {
    const rows = await this.#read();
    if (this.isForeign) return [];
    const fileOf = (path: string) => pathOf(inFolder(this.#at, path));
    const unknown = [...rows.keys()].filter((path) => !this.#there.has(path));
    const look = present(unknown.map(fileOf));
    for (const path of unknown) this.#there.set(path, look);
    const looks = [...rows].map(async ([path, { report_id }]) => {
      return (await this.#there.get(path))?.has(fileOf(path)) ? [report_id] : [];
    });
    return (await Promise.all(looks)).flat();
  }

  /** Paths whose row came, went or changed since the last call, or since the first look at a file. */
  async changed(): Promise<string[]> {
    const { rows: before, isForeign } = this.#before ?? { rows: new Map<string, LockRow>(), isForeign: false };
    const rows = await this.#read();
    this.#before = { rows, isForeign: this.isForeign };
    const isOther = (path: string) => !isSameRow(before.get(path), rows.get(path)) || isForeign !== this.isForeign;
    return [...new Set([...before.keys(), ...rows.keys()])].filter(isOther);
  }

  /** A file or a folder came or went: its files are looked for again. True when any was looked for before. */
  forget(path: string): boolean {
    const files = [...this.#there.keys()].filter((file) => path === '' || `${file}/`.startsWith(`${path}/`));
    for (const file of files) this.#there.delete(file);
    return files.length > 0;
  }

  async #read(): Promise<Rows> {
    try {
      const lock = await readLock(this.#at);
      if (lock.reports !== this.#reports) this.#rows = new Map(lock.reports.map((row) => [row.path, row]));
      this.#reports = lock.reports;
      this.isForeign = isOfOtherService(lock, this.#origin());
      this.#before ??= { rows: this.#rows, isForeign: this.isForeign };
    } catch (error) {
      if (!(error instanceof LockProblem || error instanceof DiskProblem)) throw error;
      if (error instanceof LockProblem) this.#onProblem(error);
    }
    return this.#rows;
  }
}

/** Whether two rows of a path mark its file alike. */
function isSameRow(a: LockRow | undefined, b: LockRow | undefined): boolean {
  return (['sha256', 'report_id', 'verified', 'bytes'] as const).every((name) => a?.[name] === b?.[name]);
}

export interface LookAtFilesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((checked: number) => void) | undefined;
}

/** Files read at once: one is hashed while the system reads the others. */
const filesAtOnce = 4;

/**
 * Reads the file of every row, also known ones, and compares its hash; in the order of the rows.
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
