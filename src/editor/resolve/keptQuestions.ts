import * as vscode from 'vscode';
import { batches } from '../../api/transport/inputs.ts';
import type { Clock } from '../../base/clock.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { KeptAnswer } from '../../library/store.ts';
import type { AskCost, AskHow } from '../../protocol/resultsView.ts';

/** How long an answer is kept, in ms: what a licence holds may change, so no answer is older than a day. */
export const answerLife = 86_400_000;

/** Where answers are kept: the library of the connection that gave them. */
export interface AnswerStore {
  answers(questions: readonly string[], since: number): Promise<readonly KeptAnswer[]>;
  keepAnswers(answers: readonly KeptAnswer[], since: number): Promise<void>;
}

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

/** The answers, in the order of the questions, and what asking took. */
interface Answered<R> extends AskCost {
  readonly answers: readonly R[];
}

interface AskOptions extends AskHow {
  readonly store: AnswerStore;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Asks each distinct question once: of what was kept for less than a day, then of the service in calls as large as it
 * takes. What a call answered is kept at once, so that going on after a cancel costs only the rest.
 */
export async function askKept<Q, R>(
  questions: readonly Q[],
  asking: Asking<Q, R>,
  { store, clock, fresh = false, signal, onProgress }: AskOptions,
): Promise<Answered<R>> {
  const distinct = new Map(questions.map((question) => [asking.nameOf(question), question]));
  const known = fresh ? new Map<string, { answer: R; at: number }>() : await readKept(distinct, asking, store, clock);
  const open = [...distinct.values()].filter((question) => !known.has(asking.nameOf(question)));
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
      const name = asking.nameOf(question);
      answers.set(name, answer);
      kept.push({ question: name, at: now, answer: JSON.stringify(asking.write(answer)) });
    }
    await store.keepAnswers(kept, now - answerLife);
    onProgress?.(answers.size, distinct.size);
  }
  return {
    answers: questions.map((question) => answers.get(asking.nameOf(question)) as R),
    distinct: distinct.size,
    kept: known.size,
    requests,
    oldest: [...known.values()].reduce<number | null>((oldest, { at }) => Math.min(oldest ?? at, at), null),
  };
}

async function readKept<Q, R>(
  distinct: ReadonlyMap<string, Q>,
  { read }: Asking<Q, R>,
  store: AnswerStore,
  clock: Pick<Clock, 'now'>,
): Promise<Map<string, { answer: R; at: number }>> {
  const now = clock.now();
  const known = new Map<string, { answer: R; at: number }>();
  for (const { question: name, at, answer: text } of await store.answers([...distinct.keys()], now - answerLife + 1)) {
    const question = distinct.get(name);
    // A time to come means that the clock was set back: how old the answer is can't be told.
    if (question === undefined || at > now) continue;
    const raw = parsed(text);
    const answer = raw === null ? null : read(raw, question);
    if (answer !== null) known.set(name, { answer, at });
  }
  return known;
}

function parsed(text: string): JsonObject | null {
  try {
    const raw: unknown = JSON.parse(text);
    return isObject(raw) ? raw : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
