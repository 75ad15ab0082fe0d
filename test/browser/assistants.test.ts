import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageExtension } from '../../bench/emptyExtension.ts';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';
import { fileOnce } from '../support/fileOnce.ts';

const report = 'XETR_ALBM_2024_SR';

/** An agent that has read what to download, and shows what it was answered. */
async function agent(): Promise<string> {
  const script = `
    const vscode = require('vscode');
    const call = async () => {
      const options = { input: { reports: ['${report}'] }, toolInvocationToken: undefined };
      try {
        const { content } = await vscode.lm.invokeTool('reportlibrary_download_reports', options);
        return content[0].value;
      } catch (error) {
        return /Canceled/.test(error) ? 'Refused' : 'Failed: ' + error;
      }
    };
    exports.activate = () => vscode.commands.registerCommand('agent.download', async () => {
      vscode.window.showInformationMessage('Answer: ' + (await call()));
    });`;
  const command = { command: 'agent.download', title: 'Agent: Download' };
  const manifest = { name: 'agent', displayName: 'Agent', main: './main.js', contributes: { commands: [command] } };
  return packageExtension(join(await mkdtemp(join(tmpdir(), 'agent-')), 'agent'), manifest, script);
}

describe('an assistant that wants to download', () => {
  let editor: EditorWindow;

  before(async () => {
    const settings = { 'reportLibrary.demo.openAtStart': true, 'workbench.startupEditor': 'none' };
    editor = await openEditor('assistants', { settings, extensions: [await agent()] });
    await editor.openContainer('Report Library');
    await editor.loaded();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  const dialog = () => editor.page.locator('.monaco-dialog-box');
  const answer = (text: RegExp) => editor.notification(text);

  it('is refused by Cancel and Escape, which leave nothing, and given the PDF by Enter', async () => {
    await editor.command('Agent: Download');
    await dialog().waitFor();
    await editor.screenshot('assistants-1-plan');
    const words = await dialog().innerText();
    assert.match(words, /Let the assistant download 1 PDF\?/);
    assert.ok(words.includes(`(${report})`), words);
    assert.match(words, /[\d.]+ [kM]B in all/);
    assert.match(words, /Each PDF that is not here yet counts as a download of your licence\./);
    assert.match(words, /0 of 10 in this window and 0 of 50 today/);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await answer(/Answer: Refused/).waitFor();
    assert.equal(existsSync(join(editor.workspace, 'reports')), false);

    await editor.command('Notifications: Clear All Notifications');
    await answer(/Answer/)
      .first()
      .waitFor({ state: 'hidden' });
    await editor.command('Agent: Download');
    await dialog().waitFor();
    await editor.page.keyboard.press('Escape');
    await answer(/Answer: Refused/).waitFor();
    assert.equal(existsSync(join(editor.workspace, 'reports')), false);

    await editor.command('Agent: Download');
    await dialog().locator('.monaco-button:focus').waitFor();
    await editor.page.keyboard.press('Enter');
    await fileOnce(join(editor.workspace, 'reports', 'reports.lock.json'), (text) => text.includes(`"${report}"`));
  });
});
