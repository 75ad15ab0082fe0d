import type { KeptAnswer } from '../store.ts';
import type { Connection } from './connection.ts';

/** Kept answers, in the library's file: a window that opens tomorrow morning finds those of this afternoon. */
export class AnswerTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Those to `questions` that were given at `since` or later. */
  read(questions: readonly string[], since: number): KeptAnswer[] {
    return this.#connection
      .all(
        `SELECT a.question, a.at, a.answer FROM json_each(?) q CROSS JOIN answers a ON a.question = q.value
         WHERE a.at >= ?`,
        JSON.stringify(questions),
        since,
      )
      .map(([question, at, answer]) => ({ question: String(question), at: Number(at), answer: String(answer) }));
  }

  /** Keeps answers and drops all given before `since`. To be called in a transaction. */
  keep(answers: readonly KeptAnswer[], since: number): void {
    this.#connection.run('DELETE FROM answers WHERE at < ?', since);
    for (const { question, at, answer } of answers) {
      this.#connection.run(
        'INSERT OR REPLACE INTO answers(question, at, answer) VALUES (?, ?, ?)',
        question,
        at,
        answer,
      );
    }
  }
}
