import assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { KeyringNotices } from '../../../../src/editor/signin/keyringNotices.ts';

/** A person who presses the button of that name, if it is offered. */
function notices(button: string | undefined) {
  const told: { readonly text: string; readonly buttons: readonly string[] }[] = [];
  const done: string[] = [];
  mock.method(vscode.window, 'showWarningMessage', async (text: string, ...buttons: string[]) => {
    told.push({ text, buttons });
    return buttons.find((title) => title === button);
  });
  mock.method(vscode.commands, 'executeCommand', async (id: string) => done.push(id));
  mock.method(vscode.env, 'openExternal', async () => done.push('help'));
  return { made: new KeyringNotices(), told, done };
}

describe('a keyring that loses a key', () => {
  afterEach(() => mock.restoreAll());

  it('is told once, with this session only as the way on', () => {
    const { made, told, done } = notices('This Session Only');
    made.notKept();
    made.notKept();
    made.lost('Desk');
    assert.equal(told.length, 1);
    assert.match(told[0]?.text ?? '', /did not keep your key.*signed in for this session only/);
    assert.deepEqual(told[0]?.buttons, ['This Session Only', 'Set Up a Keyring']);
    assert.deepEqual(done, []);
  });

  it('is told when a key is gone after a restart, and leads to signing in or to help', async () => {
    for (const [button, expected] of [
      ['Sign In…', ['reportLibrary.signIn']],
      ['Set Up a Keyring', ['help']],
      [undefined, []],
    ] as const) {
      const { made, told, done } = notices(button);
      made.lost('[Desk](command:x)');
      await Promise.resolve();
      await Promise.resolve();
      assert.deepEqual(done, expected);
      assert.ok(!told[0]?.text.includes('[Desk]'), 'a name must not become a link');
    }
  });
});
