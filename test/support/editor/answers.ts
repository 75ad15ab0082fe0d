import * as vscode from 'vscode';

/** What a person would answer, in order: the label of each quick pick begins with a text, and where a file goes. */
export interface Answers {
  readonly picks: readonly string[];
  /** Undefined leaves the dialog. */
  readonly save: vscode.Uri | undefined;
}

/**
 * Runs work with a person's answers in place of the pickers and dialogs of this window. Gives the messages that the
 * person was told; all are closed without a choice.
 */
export async function answering({ picks, save }: Answers, work: () => Thenable<unknown>): Promise<string[]> {
  const left = [...picks];
  const told: string[] = [];
  const { showQuickPick, showSaveDialog, showInformationMessage } = vscode.window;
  const pick = async (items: readonly vscode.QuickPickItem[]) => {
    const wanted = left.shift() ?? '';
    const item = items.find(({ label }) => label.replace(/^\$\([\w-]+\) /, '').startsWith(wanted));
    if (!item) throw new Error(`No item begins with ${wanted}: ${items.map(({ label }) => label).join(', ')}`);
    return item;
  };
  const tell = async (message: string) => {
    told.push(message);
  };
  const stand = { showQuickPick: pick, showSaveDialog: async () => save, showInformationMessage: tell };
  Object.assign(vscode.window, stand);
  try {
    await work();
    return told;
  } finally {
    Object.assign(vscode.window, { showQuickPick, showSaveDialog, showInformationMessage });
  }
}

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
