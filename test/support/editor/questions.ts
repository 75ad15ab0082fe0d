import * as vscode from 'vscode';

type Method = 'showInformationMessage' | 'showWarningMessage';

/** A question that the extension put to the person, held until the test answers it. */
export interface Question {
  readonly text: string;
  readonly buttons: readonly string[];
  answer(button: string | undefined): void;
}

/**
 * Stands in for the person in front of the editor's notifications: collects what the extension says, in its own words,
 * and answers as the test wants. `restore` gives the editor its own method back.
 */
export function answerNotifications(method: Method): { next(): Promise<Question>; restore(): void } {
  const waiting: Question[] = [];
  const takers: ((question: Question) => void)[] = [];
  const own = vscode.window[method];
  const stand = (text: string, ...rest: unknown[]) =>
    new Promise<string | undefined>((answer) => {
      const question = { text, buttons: rest.filter((item) => typeof item === 'string'), answer };
      const taker = takers.shift();
      if (taker) taker(question);
      else waiting.push(question);
    });
  Object.assign(vscode.window, { [method]: stand });
  return {
    next: () => {
      const first = waiting.shift();
      return first ? Promise.resolve(first) : new Promise((resolve) => takers.push(resolve));
    },
    restore: () => void Object.assign(vscode.window, { [method]: own }),
  };
}
