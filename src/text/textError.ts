import { l10n } from '../base/l10n.ts';
import type { SqliteProblem } from '../machine/sqliteFile.ts';

/** What can go wrong with the text of PDFs on this machine, told apart as far as a caller can act on it. */
export type TextProblem =
  | SqliteProblem
  /** The host comes without SQLite, or without full-text search in it: no text is kept or found. */
  | 'no-sqlite'
  /** The file was damaged, and another window still has it open, on a system that keeps it in place for that long. */
  | 'corrupt-held'
  /** The query finds nothing by itself; the message says what to type. */
  | 'query'
  /** The worker thread ended; the next call starts another. */
  | 'worker-stopped';

/** Thrown by every call of the text index. Its message is the cause and the next step, fit to be shown. */
export class TextError extends Error {
  override readonly name = 'TextError';
  readonly problem: TextProblem;

  constructor(problem: TextProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

const sentences: Readonly<Record<TextProblem, string>> = {
  'no-sqlite': l10n.later(
    'This editor lacks the SQLite that searching in PDFs needs. Update the editor or use an official build; everything else works.',
  ),
  corrupt: l10n.later(
    'The text index on this computer was damaged and has been set aside. The PDFs will be indexed again.',
  ),
  'corrupt-held': l10n.later(
    'The text index on this computer was damaged, and another window still has it open. Both windows start over in a moment.',
  ),
  'not-writable': l10n.later(
    'The text index on this computer can’t be written: its folder or disk is read-only, or the path is blocked.',
  ),
  busy: l10n.later('The text index on this computer is in use by another window. Try again in a moment.'),
  'disk-full': l10n.later('The disk is full. Free some space to continue indexing; indexed PDFs are kept.'),
  unreadable: l10n.later(
    'The disk failed to read or write the text index on this computer. Check that it is connected and not full, then try again.',
  ),
  query: l10n.later('Type a word or a “phrase” to find.'),
  'worker-stopped': l10n.later('The text index stopped unexpectedly. Try again; it restarts automatically.'),
  unexpected: l10n.later('The text index on this computer failed. See the log, then try again.'),
};

/** The error of a kind, with its standard sentence. */
export function textError(problem: TextProblem, cause?: unknown): TextError {
  return new TextError(problem, l10n.word(sentences[problem]), cause === undefined ? undefined : { cause });
}

/** A query that finds nothing by itself, and what to do; `sentence` is marked with `l10n.later`. */
export function queryError(sentence: string): TextError {
  return new TextError('query', l10n.word(sentence));
}
