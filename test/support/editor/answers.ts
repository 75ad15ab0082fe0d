import * as vscode from 'vscode';

/** What a person would answer, in order: the label of each quick pick begins with a text, and where a file goes. */
export interface Answers {
  readonly picks: readonly string[];
  /** Undefined leaves the dialog. */
  readonly save: vscode.Uri | undefined;
}

/** Runs work with a person's answers in place of the pickers and dialogs of this window. */
export async function answering<T>({ picks, save }: Answers, work: () => Thenable<T>): Promise<T> {
  const left = [...picks];
  const { showQuickPick, showSaveDialog } = vscode.window;
  const pick = async (items: readonly vscode.QuickPickItem[]) => {
    const wanted = left.shift() ?? '';
    const item = items.find(({ label }) => label.replace(/^\$\([\w-]+\) /, '').startsWith(wanted));
    if (!item) throw new Error(`No item begins with ${wanted}: ${items.map(({ label }) => label).join(', ')}`);
    return item;
  };
  Object.assign(vscode.window, { showQuickPick: pick, showSaveDialog: async () => save });
  try {
    return await work();
  } finally {
    Object.assign(vscode.window, { showQuickPick, showSaveDialog });
  }
}
