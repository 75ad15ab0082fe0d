import { l10n } from '../base/l10n.ts';

/** What can go wrong with the library on this machine, told apart as far as a caller can act on it. */
export type LibraryProblem =
  /** The host comes without SQLite, or without full-text search in it: there is no library. */
  | 'no-sqlite'
  /** The file was written by a newer version: it can be read, not written. */
  | 'read-only'
  /** Another window has taken over the sync since; nothing was written. */
  | 'lease-lost'
  /** The file was damaged; it has been set aside and an empty library begun. */
  | 'corrupt'
  /** Another process held the file longer than the busy timeout. */
  | 'busy'
  | 'disk-full'
  /** What came is no page of a list, or leads back to itself; nothing of it was kept. */
  | 'unreadable-page'
  /** The worker thread ended; the next call starts another. */
  | 'worker-stopped'
  | 'unexpected';

/** Thrown by every call of the library. Its message is the cause and the next step, fit to be shown. */
export class LibraryError extends Error {
  override readonly name = 'LibraryError';
  readonly problem: LibraryProblem;

  constructor(problem: LibraryProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

const sentences: Readonly<Record<LibraryProblem, string>> = {
  'read-only': l10n.later(
    'The library on this machine was written by a newer version of Report Library. Update the extension to change it.',
  ),
  'no-sqlite': l10n.later(
    'This editor comes without the SQLite that the library needs, so nothing can be synced. Update the editor, or use an official build; reports and PDFs still open from the service.',
  ),
  'lease-lost': l10n.later('Another window has taken over the sync. Nothing was changed here.'),
  corrupt: l10n.later('The library on this machine was damaged and has been set aside. Sync to load it again.'),
  busy: l10n.later('The library on this machine is in use by another window. Try again in a moment.'),
  'disk-full': l10n.later('The disk is full. Free some space, then sync again; nothing was lost.'),
  'unreadable-page': l10n.later(
    'The service sent a page that can not be read. Nothing of it was kept; sync again later.',
  ),
  'worker-stopped': l10n.later('The library stopped unexpectedly. Try again; it starts by itself.'),
  unexpected: l10n.later('The library on this machine failed. See the log, then try again.'),
};

/** The error of a kind, with its standard sentence. */
export function libraryError(problem: LibraryProblem, cause?: unknown): LibraryError {
  return new LibraryError(problem, l10n.word(sentences[problem]), cause === undefined ? undefined : { cause });
}

/** SQLite's primary result codes that mean something to a caller. */
const problemOfCode: Readonly<Record<number, LibraryProblem>> = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  11: 'corrupt',
  13: 'disk-full',
  26: 'corrupt',
};

/** What a failed SQLite call means; null when the error did not come from SQLite. */
export function problemOfSqliteError(error: unknown): LibraryProblem | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  // Extended codes keep the primary one in the low byte.
  return problemOfCode[error.errcode & 0xff] ?? 'unexpected';
}
