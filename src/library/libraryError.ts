import { l10n } from '../base/l10n.ts';
import type { SqliteProblem } from '../machine/sqliteFile.ts';

/** What can go wrong with the library on this machine, told apart as far as a caller can act on it. */
export type LibraryProblem =
  | SqliteProblem
  /** The host comes without SQLite, or without full-text search in it: there is no library. */
  | 'no-sqlite'
  /** Another window has taken over the sync since; nothing was written. */
  | 'lease-lost'
  /** The file is damaged, but another window still has it open, on a system that keeps it in place for that long. */
  | 'corrupt-held'
  /** What came is no page of a list, or leads back to itself; nothing of it was kept. */
  | 'unreadable-page'
  /** The worker thread ended; the next call starts another. */
  | 'worker-stopped';

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
  'no-sqlite': l10n.later(
    'This editor lacks the SQLite that the library needs, so nothing can be synced. Update the editor or use an official build; reports and PDFs still open from the service.',
  ),
  'lease-lost': l10n.later('Another window has taken over the sync. Nothing was changed here.'),
  corrupt: l10n.later('The library on this computer was damaged and has been set aside. Sync to load it again.'),
  'corrupt-held': l10n.later(
    'The library on this computer was damaged, and another window still has it open. Both windows start over in a moment; then sync again.',
  ),
  'not-writable': l10n.later(
    'The library on this computer can’t be written: its folder or disk is read-only, or the path is blocked. Nothing is saved until this is fixed; reports and PDFs still open from the service.',
  ),
  busy: l10n.later('The library on this computer is in use by another window. Try again in a moment.'),
  'disk-full': l10n.later('The disk is full. Free some space, then sync again; nothing was lost.'),
  unreadable: l10n.later(
    'The disk failed to read or write the library on this computer. Check that it is connected and not full, then try again.',
  ),
  'unreadable-page': l10n.later('The service sent a page that cannot be read. It was discarded; sync again later.'),
  'worker-stopped': l10n.later('The library stopped unexpectedly. Try again; it restarts automatically.'),
  unexpected: l10n.later('The library on this computer failed. See the log, then try again.'),
};

export function libraryError(problem: LibraryProblem, cause?: unknown): LibraryError {
  return new LibraryError(problem, l10n.word(sentences[problem]), cause === undefined ? undefined : { cause });
}
