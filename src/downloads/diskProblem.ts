import { l10n } from '../base/l10n.ts';
/** Why a file could not be put where it belongs. */
export type DiskProblemCode =
  | 'symlink'
  | 'outside'
  | 'foreign'
  | 'in-the-way'
  | 'no-space'
  | 'read-only'
  | 'locked'
  | 'name-too-long'
  | 'disk';

/** Thrown when the disk, or what lies on it, keeps a file from its place. Its message is fit to be shown. */
export class DiskProblem extends Error {
  override readonly name = 'DiskProblem';
  readonly code: DiskProblemCode;

  constructor(code: DiskProblemCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export const noSpace = l10n.later('The disk is full. Free some space, then try again.');

const known: Readonly<Record<string, readonly [DiskProblemCode, string]>> = {
  ENOSPC: ['no-space', noSpace],
  EDQUOT: ['no-space', l10n.later('Your disk quota is used up. Free some space, then try again.')],
  EFBIG: ['no-space', l10n.later('The file is larger than this disk allows. Choose another folder.')],
  EROFS: ['read-only', l10n.later('The folder is read-only. Choose another downloads folder.')],
  EACCES: [
    'read-only',
    l10n.later('The folder may not be written. Check its permissions or choose another downloads folder.'),
  ],
  EPERM: [
    'read-only',
    l10n.later('The folder may not be written. Check its permissions or choose another downloads folder.'),
  ],
  EBUSY: ['locked', l10n.later('Another program holds the file. Close it there, then try again.')],
  ENAMETOOLONG: [
    'name-too-long',
    l10n.later('The path is too long for this disk. Shorten the downloads path setting.'),
  ],
  ENOTDIR: ['in-the-way', l10n.later('A file lies where a folder is needed. Move it away, then try again.')],
  EISDIR: ['in-the-way', l10n.later('A folder lies where the file belongs. Move it away, then try again.')],
  ENOENT: ['disk', l10n.later('The folder went away while the file was written. Try again.')],
  EMFILE: ['disk', l10n.later('Too many files are open on this machine. Try again in a moment.')],
};

/** The code that a failed system call carries, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Runs work on the disk and puts a failed system call into words. Wrapped around the disk alone: a broken connection
 * carries codes of the same kind.
 * @throws DiskProblem for a failed system call; any other error as it is
 */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemCode(error);
    if (error instanceof DiskProblem || code === undefined || !(error instanceof Error && 'syscall' in error))
      throw error;
    const [kind, message] = known[code] ?? ['disk', ''];
    const words = message === '' ? l10n.t('The disk refused the file ({0}). Try again.', code) : l10n.word(message);
    throw new DiskProblem(kind, words, error);
  }
}
