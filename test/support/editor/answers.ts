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
