import type { LockRow } from './manifest.ts';
import { fileThere } from './place.ts';

/** What a look at a downloaded file found. `unverified`: unedited, but never agreed with a published hash. */
export type FileState = 'verified' | 'unverified' | 'edited' | 'missing' | 'unreadable';

export interface FileCheck {
  readonly row: LockRow;
  readonly state: FileState;
  /** Why it could not be read, fit to be shown. */
  readonly reason?: string;
}

/**
 * Reads every file of a lock and compares its hash; no network. One file after the other, so that the disk stays usable.
 * @param root absolute path of the folder that `path` of the rows is relative to, with `prefix` between
 * @throws the signal's reason when aborted
 */
export async function verifyFiles(
  root: string,
  prefix: string,
  rows: readonly LockRow[],
  options: { readonly signal?: AbortSignal; readonly onProgress?: (checked: number) => void } = {},
): Promise<readonly FileCheck[]> {
  const checks: FileCheck[] = [];
  for (const row of rows) {
    options.signal?.throwIfAborted();
    checks.push(await check(root, `${prefix}/${row.path}`, row, options.signal));
    options.onProgress?.(checks.length);
  }
  return checks;
}

async function check(root: string, path: string, row: LockRow, signal: AbortSignal | undefined): Promise<FileCheck> {
  try {
    const there = await fileThere({ root, path }, signal);
    if (!there) return { row, state: 'missing' };
    if (there.sha256 !== row.sha256) return { row, state: 'edited' };
    return { row, state: row.verified === false ? 'unverified' : 'verified' };
  } catch (error) {
    signal?.throwIfAborted();
    return { row, state: 'unreadable', reason: error instanceof Error ? error.message : 'It could not be read.' };
  }
}
