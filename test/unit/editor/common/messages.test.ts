import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger.ts';
import { plainText } from '../../../../src/base/words.ts';
import { LockProblem } from '../../../../src/downloads/manifest.ts';
import { labelText, notificationText, RestrictedError, showProblem } from '../../../../src/editor/common/messages.ts';

describe('text of the service for labels and notifications', () => {
  it('is at most 300 characters', () => {
    const text = plainText('x'.repeat(4_000));
    assert.equal(text.length, 300);
    assert.ok(text.endsWith('…'));
  });

  it('never makes a live link in a notification', () => {
    assert.doesNotMatch(notificationText('[click](command:workbench.action.quit)'), /\[.*\]\(/);
  });

  it('never makes an icon in a label', () => {
    assert.doesNotMatch(labelText('$(flame) hot'), /\$\(/);
  });
});

describe('what a problem offers', () => {
  for (const [error, offered] of [
    [new Error('Select more.'), []],
    [new TypeError('x is undefined'), ['Show Log']],
    [new RestrictedError('No'), ['Manage Workspace Trust']],
    [new LockProblem('other-service', 'No'), ['Use Another Folder…', 'Switch Connection…']],
  ] as const)
    it(`is ${offered.join(' and ') || 'nothing'} for a ${error.constructor.name}`, () => {
      let buttons: readonly string[] = [];
      const showErrorMessage = async (_: string, ...shown: string[]) => {
        buttons = shown;
      };
      Object.assign(vscode.window, { showErrorMessage });
      showProblem(error, silentLogger);
      Reflect.deleteProperty(vscode.window, 'showErrorMessage');
      assert.deepEqual(buttons, offered);
    });

  it('writes the chosen folder into the settings of the workspace folder', async () => {
    const written = Promise.withResolvers<readonly unknown[]>();
    const [windowBefore, workspaceBefore] = [{ ...vscode.window }, { ...vscode.workspace }];
    const { getConfiguration } = vscode.workspace;
    Object.assign(vscode.window, {
      showErrorMessage: async () => 'Use Another Folder…',
      showInputBox: async ({ value }: vscode.InputBoxOptions) => value,
    });
    Object.assign(vscode.workspace, {
      workspaceFolders: [{ uri: { fsPath: '/work' } }],
      getConfiguration: () => ({
        ...getConfiguration(),
        update: async (...given: readonly unknown[]) => written.resolve(given),
      }),
    });
    showProblem(new LockProblem('other-service', 'No'), silentLogger);
    assert.deepEqual(await written.promise, ['reportLibrary.downloads.folder', 'reports-2', 3]);
    Object.assign(vscode.window, windowBefore);
    Object.assign(vscode.workspace, workspaceBefore);
  });
});
