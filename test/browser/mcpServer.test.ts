import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageExtension } from '../../bench/emptyExtension.ts';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';
import { enterBaseUrl, submit } from '../support/browser/signIn.ts';
import { startTestDemo, type TestDemo } from '../support/demo/testDemo.ts';

/** An agent that knows the tools of the MCP servers which the editor runs, and shows how the answer of one begins. */
async function agent(): Promise<string> {
  const script = `
    const vscode = require('vscode');
    const call = async () => {
      const tool = vscode.lm.tools.find(({ name }) => /^mcp_.*find_companies$/.test(name));
      if (!tool) return 'There is no such tool.';
      const options = { input: { queries: ['XSWX_AHRN'] }, toolInvocationToken: undefined };
      const { content } = await vscode.lm.invokeTool(tool.name, options);
      return content[0].value.slice(0, 300);
    };
    exports.activate = () => vscode.commands.registerCommand('agent.ask', async () => {
      vscode.window.showInformationMessage('Answer: ' + (await call().catch(String)));
    });`;
  const command = { command: 'agent.ask', title: 'Agent: Ask' };
  const manifest = { name: 'agent', displayName: 'Agent', main: './main.js', contributes: { commands: [command] } };
  return packageExtension(join(await mkdtemp(join(tmpdir(), 'agent-')), 'agent'), manifest, script);
}

describe('the MCP server, where the editor runs it', () => {
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

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await one.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await one?.close();
    await demo?.dispose();
  });

  /** What the agent of the first window is answered. */
  async function answered(text: RegExp): Promise<void> {
    await one.command('Notifications: Clear All Notifications');
    await one.notification('Answer').waitFor({ state: 'hidden' });
    await one.command('Agent: Ask');
    await one.notification(text).waitFor();
  }

  const server = () => one.quickRow('Report Library').first();

  it('is listed, starts, and answers an agent', async () => {
    await one.command('MCP: List Servers');
    await server().filter({ hasText: 'Stopped' }).waitFor();
    await one.screenshot('mcp-1-listed');
    await server().click();
    await one.quickRow('Start Server').click();
    await one.page.getByText('Discovered 8 tools').waitFor();
    await one.command('MCP: List Servers');
    await server().filter({ hasText: 'Running' }).waitFor();
    await one.page.keyboard.press('Escape');
    await answered(/"company_key":"XSWX_AHRN","name":"Aarhorn Pharma AG"/);
    await one.screenshot('mcp-2-answered');
  });

  it('answers nothing while nobody is signed in', async () => {
    await one.command('Report Library: Sign Out');
    await one.view('Watchlist').getByRole('button', { name: 'Sign In…' }).waitFor();
    await answered(/Answer: \{"error":"Not signed in/);
    await one.screenshot('mcp-3-signed-out');
    await enterBaseUrl(one, demo.baseUrl);
    await submit(one, demo.key.reveal());
    await one.loaded();
    await answered(/"company_key":"XSWX_AHRN"/);
  });
});
