import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Library } from '../../library/library.ts';
import type { Services } from '../../services.ts';
import type { AnswerStore } from './keptQuestions.ts';

/** The service of the connection in use, and where its answers are kept. */
export interface ConnectionCalls {
  readonly store: AnswerStore;
  readonly clock: Clock;
  /** The library of the connection; null when nothing had to be opened. */
  readonly library: Library | null;
  /** @throws Error when another connection has taken the place of the one this was made for */
  call<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

const nothingKept: AnswerStore = { answers: async () => [], keepAnswers: async () => {} };

/**
 * Ties answers to the connection that gave them: what one key may see is never kept for another. Opens the library
 * only when something is going to be asked.
 */
export async function connectionCalls(services: Services, isNeeded: boolean): Promise<ConnectionCalls> {
  if (!isNeeded) return { store: nothingKept, clock: systemClock, library: null, call: (work) => services.call(work) };
  const { library, connection } = await services.library();
  return {
    store: library,
    clock: systemClock,
    library,
    async call(work) {
      const answer = await services.call(work);
      const { session } = services;
      if ('connection' in session && session.connection === connection) return answer;
      throw new Error(vscode.l10n.t('You signed in with another key meanwhile. Ask again.'));
    },
  };
}
