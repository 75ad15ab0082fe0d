import * as vscode from 'vscode';
import { batches } from '../../api/transport/inputs.ts';
import type { Clock } from '../../base/clock.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { KeptAnswer } from '../../library/store.ts';
import type { AskCost, AskHow } from '../../protocol/resultsView.ts';

/** How long an answer is kept, in ms: what a licence holds may change, so no answer is older than a day. */
export const answerLife = 86_400_000;

/** Where answers are kept: the library of the connection that gave them. */
export type AnswerStore = Pick<LibraryCalls, 'answers' | 'keepAnswers'>;

/** How one kind of question is asked and its answers are kept. */
export interface Asking<Q, R> {
  /** Two questions with the same name are one. Never holds a key. */
  readonly nameOf: (question: Q) => string;
  /** The most that the service takes in one call. */
  readonly size: number;
  /** One answer for each question, in order. */
  ask(questions: readonly Q[]): Promise<readonly R[]>;
  /** An answer as JSON can hold it, and back; null for what can't be understood, which is then asked again. */
  write(answer: R): unknown;
  read(raw: unknown, question: Q): R | null;
}

interface AskOptions extends AskHow {
  readonly store: AnswerStore;
  readonly clock: Pick<Clock, 'now'>;
}

/** An answer that was kept, and when it was given. */
interface Known<R> {
  readonly answer: R;
  readonly at: number;
}

/**
 * Asks each distinct question once: of what was kept for less than a day, then of the service in calls as large as it
 * takes. What a call answered is kept at once, so that going on after a cancel costs only the rest.
 * @returns the answers, in the order of the questions, and what asking took
 */
export async function askKept<Q, R>(
  questions: readonly Q[],
  asking: Asking<Q, R>,
  { store, clock, fresh = false, signal, onProgress }: AskOptions,
): Promise<AskCost & { readonly answers: readonly R[] }> {
  const { nameOf } = asking;
  const distinct = new Map(questions.map((question) => [nameOf(question), question]));
  const known = fresh ? new Map<string, Known<R>>() : await readKept(distinct, asking, store, clock.now());
  const open = [...distinct.values()].filter((question) => !known.has(nameOf(question)));
  const answers = new Map([...known].map(([name, { answer }]) => [name, answer]));
  let requests = 0;
  onProgress?.(answers.size, distinct.size);
  for (const batch of batches(open, asking.size)) {
    signal?.throwIfAborted();
    const given = await asking.ask(batch);
    requests += 1;
    const now = clock.now();
    const kept: KeptAnswer[] = [];
    for (const [index, question] of batch.entries()) {
      const answer = given[index];
      if (answer === undefined) throw new Error(vscode.l10n.t('The response was incomplete. Try again.'));
      answers.set(nameOf(question), answer);
      kept.push({ question: nameOf(question), at: now, answer: JSON.stringify(asking.write(answer)) });
    }
    await store.keepAnswers(kept, now - answerLife);
    onProgress?.(answers.size, distinct.size);
  }
  const times = [...known.values()].map(({ at }) => at);
  return {
    answers: questions.map((question) => answers.get(nameOf(question)) as R),
    distinct: distinct.size,
    kept: known.size,
    requests,
    oldest: times.reduce<number | null>((oldest, at) => Math.min(oldest ?? at, at), null),
  };
}

async function readKept<Q, R>(
  distinct: ReadonlyMap<string, Q>,
  { read }: Asking<Q, R>,
  store: AnswerStore,
  now: number,
): Promise<Map<string, Known<R>>> {
  const known = new Map<string, Known<R>>();
  for (const { question: name, at, answer: text } of await store.answers([...distinct.keys()], now - answerLife + 1)) {
    const question = distinct.get(name);
    // A time to come means that the clock was set back: how old the answer is can't be told.
    if (question === undefined || at > now) continue;
    const answer = read(parsed(text), question);
    if (answer !== null) known.set(name, { answer, at });
  }
  return known;
}

/** Null for what this version did not write. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
