import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageExtension } from '../../bench/emptyExtension.ts';
import { type EditorWindow, endsWithSuite, openEditor } from '../support/browser/editor.ts';
import { enterBaseUrl, submit } from '../support/browser/signIn.ts';
import { startTestDemo, type TestDemo } from '../support/demo/testDemo.ts';
import { fileOnce } from '../support/fileOnce.ts';

const report = 'XETR_ALBM_2024_SR';

/** An agent that calls our tools, and shows how the answer begins: one of the MCP server, and one of the editor. */
async function agent(): Promise<string> {
  const script = `
    const vscode = require('vscode');
    const call = async (name, input) => {
      try {
        const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
        return content[0].value.slice(0, 300);
      } catch (error) {
        return /Canceled/.test(error) ? 'Refused' : 'Failed: ' + error;
      }
    };
    const ask = async () => {
      const tool = vscode.lm.tools.find(({ name }) => /^mcp_.*find_companies$/.test(name));
      return tool ? call(tool.name, { queries: ['XSWX_AHRN'] }) : 'There is no such tool.';
    };
    const download = () => call('reportlibrary_download_reports', { reports: ['${report}'] });
    const show = (answer) => async () => void vscode.window.showInformationMessage('Answer: ' + (await answer()));
    exports.activate = () => {
      vscode.commands.registerCommand('agent.ask', show(ask));
      vscode.commands.registerCommand('agent.download', show(download));
    };`;
  const commands = [
    { command: 'agent.ask', title: 'Agent: Ask' },
    { command: 'agent.download', title: 'Agent: Download' },
  ];
  const manifest = { name: 'agent', displayName: 'Agent', main: './main.js', contributes: { commands } };
  return packageExtension(join(await mkdtemp(join(tmpdir(), 'agent-')), 'agent'), manifest, script);
}

describe('assistants in the editor', () => {
  let demo: TestDemo;
  let one: EditorWindow;

  before(async () => {
    demo = await startTestDemo();
    // The profile of tests has these features off.
    const settings = { 'chat.disableAIFeatures': false };
    one = await openEditor('mcpServer', { settings, extensions: [await agent()] });
    await one.openContainer('Report Library');
    await enterBaseUrl(one, demo.baseUrl);
    await submit(one, demo.key.reveal());
    await one.loaded();
  });

  endsWithSuite(() => one);
  after(() => demo?.dispose());

  /** What the agent of the first window is answered. */
  async function answered(text: RegExp): Promise<void> {
    await one.command('Notifications: Clear All Notifications');
    await one.notification('Answer').waitFor({ state: 'hidden' });
    await one.command('Agent: Ask');
    await one.notification(text).waitFor();
  }

  const dialog = () => one.page.locator('.monaco-dialog-box');
  const server = () => one.quickRow('Report Library').first();

  it('are answered by the MCP server, which is listed and starts', async () => {
    await one.command('MCP: List Servers');
    await server().filter({ hasText: 'Stopped' }).waitFor();
    await server().click();
    await one.quickRow('Start Server').click();
    await one.page.getByText('Discovered 8 tools').waitFor();
    await one.command('MCP: List Servers');
    await server().filter({ hasText: 'Running' }).waitFor();
    await one.page.keyboard.press('Escape');
    await answered(/"company_key":"XSWX_AHRN","name":"Aarhorn Pharma AG"/);
  });

  it('are answered nothing while nobody is signed in', async () => {
    await one.command('Report Library: Sign Out');
    await one.view('Watchlist').getByRole('button', { name: 'Sign In…' }).waitFor();
    await answered(/Answer: \{"error":"Not signed in/);
    await enterBaseUrl(one, demo.baseUrl);
    await submit(one, demo.key.reveal());
    await one.loaded();
    await answered(/"company_key":"XSWX_AHRN"/);
  });

  it('that want to download are refused by Cancel and Escape, which leave nothing, and given the PDF by Enter', async () => {
    await one.command('Notifications: Clear All Notifications');
    await one.command('Agent: Download');
    await dialog().waitFor();
    const words = await dialog().innerText();
    assert.match(words, /Let the assistant download 1 PDF\?/);
    assert.ok(words.includes(`(${report})`), words);
    assert.match(words, /[\d.]+ [kM]B in all/);
    assert.match(words, /Each PDF that isn’t downloaded yet counts against your license\./);
    assert.match(words, /0 of 10 in this window and 0 of 50 today/);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await one.notification('Answer: Refused').waitFor();
    assert.equal(existsSync(join(one.workspace, 'reports')), false);

    await one.command('Notifications: Clear All Notifications');
    await one.notification('Answer').waitFor({ state: 'hidden' });
    await one.command('Agent: Download');
    await dialog().waitFor();
    await one.page.keyboard.press('Escape');
    await one.notification('Answer: Refused').waitFor();
    assert.equal(existsSync(join(one.workspace, 'reports')), false);

    await one.command('Agent: Download');
    await dialog().locator('.monaco-button:focus').waitFor();
    await one.page.keyboard.press('Enter');
    await fileOnce(join(one.workspace, 'reports', 'reports.lock.json'), (text) => text.includes(`"${report}"`));
  });
});
