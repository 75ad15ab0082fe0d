import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

interface Question {
  readonly title: string;
  readonly placeHolder?: string;
  readonly canPickMany?: boolean;
}

/**
 * One list for several questions in a row. It stays open between them, because where a list goes and another one comes,
 * the panel below takes the keyboard in between, and with that closes the second one before a person has seen it.
 */
export class QuestionPick implements Disposable {
  readonly #pick = vscode.window.createQuickPick<vscode.QuickPickItem>();

  /** Gives the item that a person takes; undefined when they leave. Rejects as the items do. */
  async one<T extends vscode.QuickPickItem>(items: Promise<readonly T[]>, question: Question): Promise<T | undefined> {
    return (await this.#ask(items, question))?.[0];
  }

  /** Gives the items that a person ticks, beginning with those that are `picked`; undefined when they leave. */
  many<T extends vscode.QuickPickItem>(
    items: Promise<readonly T[]>,
    question: Question,
  ): Promise<readonly T[] | undefined> {
    return this.#ask(items, { ...question, canPickMany: true });
  }

  async #ask<T extends vscode.QuickPickItem>(
    reading: Promise<readonly T[]>,
    { title, placeHolder, canPickMany = false }: Question,
  ): Promise<readonly T[] | undefined> {
    const pick = this.#pick;
    Object.assign(pick, { title, placeholder: placeHolder, value: '', items: [], busy: true });
    pick.canSelectMany = canPickMany;
    pick.show();
    const listening: vscode.Disposable[] = [];
    const left = new Promise<undefined>((resolve) => {
      listening.push(pick.onDidHide(() => resolve(undefined)));
    });
    try {
      const items = await Promise.race([reading, left]);
      if (!items) return undefined;
      const taken = new Promise<readonly T[]>((resolve) => {
        listening.push(
          pick.onDidAccept(() => {
            const chosen = canPickMany ? pick.selectedItems : pick.activeItems;
            if (canPickMany || chosen.length > 0) resolve(chosen as readonly T[]);
          }),
        );
      });
      pick.items = items;
      pick.busy = false;
      if (canPickMany) pick.selectedItems = items.filter(({ picked }) => picked);
      return await Promise.race([taken, left]);
    } finally {
      for (const one of listening) one.dispose();
    }
  }

  dispose(): void {
    this.#pick.dispose();
  }
}
