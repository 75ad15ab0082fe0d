import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { heading, pickWhileTyping } from '../../../../src/editor/common/pickWhileTyping.ts';
import type { Library } from '../../../../src/library/library.ts';
import { settled } from '../../../support/panels/openPanel.ts';

describe('a picker that searches while a person types', () => {
  afterEach(() => {
    Reflect.deleteProperty(vscode.window, 'createQuickPick');
  });

  /** A box as the editor makes it, whose events the test fires. */
  function stagedBox() {
    const events = Object.fromEntries(
      ['onDidAccept', 'onDidChangeValue', 'onDidHide', 'onDidTriggerItemButton'].map((name) => [
        name,
        new Emitter<unknown>(),
      ]),
    );
    const listeners = Object.fromEntries(Object.entries(events).map(([name, { event }]) => [name, event]));
    const state: { value: string; items: vscode.QuickPickItem[]; selectedItems: (vscode.QuickPickItem | undefined)[] } =
      { value: '', items: [], selectedItems: [] };
    const box = Object.assign(state, listeners, { show() {}, hide() {}, dispose() {} });
    Object.assign(vscode.window, { createQuickPick: () => box });
    return {
      box,
      type(words: string) {
        box.value = words;
        events.onDidChangeValue?.fire(words);
      },
      accept: () => events.onDidAccept?.fire(undefined),
    };
  }

  const library = { withSignal: () => ({}), onDidChange: () => ({ dispose() {} }) } as unknown as Library;
  const pick = () =>
    pickWhileTyping<vscode.QuickPickItem>(
      library,
      {
        title: '',
        placeholder: '',
        itemsFor: async (_calls, words) => [heading('Reports'), { label: `${words} 1` }, { label: `${words} 2` }],
        canPick: ({ kind }) => kind === undefined,
      },
      silentLogger,
    );

  it('gives the row that is chosen', async () => {
    const { box, type, accept } = stagedBox();
    const picked = pick();
    type('wind');
    await settled();
    box.selectedItems = [box.items[2]];
    accept();
    assert.equal((await picked)?.label, 'wind 2');
  });

  it('gives the first row that is found where Enter comes before the rows', async () => {
    const { type, accept } = stagedBox();
    const picked = pick();
    await settled();
    type('wind');
    accept();
    assert.equal((await picked)?.label, 'wind 1');
  });

  it('gives the first row where a heading is at the position that was chosen among the rows before', async () => {
    const { box, type, accept } = stagedBox();
    const picked = pick();
    type('wind');
    await settled();
    box.selectedItems = [box.items[0]];
    accept();
    assert.equal((await picked)?.label, 'wind 1');
  });
});
