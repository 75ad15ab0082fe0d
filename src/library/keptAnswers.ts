/** An answer of the service that is kept for a while, so that the same question costs nothing. */
export interface KeptAnswer {
  readonly question: string;
  /** When it was given: local clock, ms since the epoch. */
  readonly at: number;
  /** JSON. Never holds a key or a signed link: only answers to identifiers and report keys are kept. */
  readonly answer: string;
}

/** Kept answers, in memory. */
export class AnswerMemory {
  readonly #answers = new Map<string, KeptAnswer>();

  /** Those to `questions` that were given at `since` or later. */
  read(questions: readonly string[], since: number): KeptAnswer[] {
    return questions.flatMap((question) => {
      const kept = this.#answers.get(question);
      return kept && kept.at >= since ? [kept] : [];
    });
  }

  /** Keeps answers and drops all given before `since`. */
  keep(answers: readonly KeptAnswer[], since: number): void {
    for (const [question, { at }] of this.#answers) if (at < since) this.#answers.delete(question);
    for (const answer of answers) this.#answers.set(answer.question, answer);
  }
}
