import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as vscode from 'vscode';
import { activated, type SharedDemo, sharedDemo } from '../../support/editor/demo.ts';

const names = ['find_companies', 'find_reports', 'read_report', 'explain_field', 'list_changes'];

/** Calls a tool as an agent of the editor does, and reads its answer. */
async function invoke(name: string, input: object): Promise<string> {
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(`reportlibrary_${name}`, options);
  const [part] = content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return part.value;
}

/** Starts the MCP server as the copied configuration says. */
async function clientOf(configuration: string): Promise<Client> {
  const { command, args } = JSON.parse(configuration).mcpServers['report-library'];
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: { PATH: process.env.PATH ?? '' } }));
  return client;
}

describe('the tools for assistants', () => {
  let demo: SharedDemo;
  let client: Client;
  before(async () => {
    demo = await sharedDemo(await activated());
    await vscode.commands.executeCommand('reportLibrary.copyMcpConfiguration');
    client = await clientOf(await vscode.env.clipboard.readText());
  });
  after(() => client.close());

  it('are known to the editor', () => {
    const known = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('reportlibrary_'));
    for (const name of names) assert.ok(known.includes(`reportlibrary_${name}`), name);
  });

  it('give through both doors the very same answers, without a request', async () => {
    const reports = JSON.parse(await invoke('find_reports', { limit: 3 })).reports as { report_key: string }[];
    assert.equal(reports.length, 3);
    demo.control.log.clear();
    const inputs: readonly (readonly [string, object])[] = [
      ['find_reports', { limit: 5, flags: { standards_gri: 'yes' } }],
      ['find_companies', { queries: ['a', 'no such company'] }],
      ['read_report', { report: reports[0]?.report_key }],
      ['explain_field', { field: 'gri_level' }],
      ['list_changes', {}],
      ['search_pages', { query: 'emissions' }],
      ['read_report', { report: 'XXXX_NONE_2020_SR' }],
    ];
    for (const [name, input] of inputs) {
      const answer = await client.callTool({ name: `reportlibrary_${name}`, arguments: { ...input } });
      assert.deepEqual(answer.content, [{ type: 'text', text: await invoke(name, input) }], name);
    }
    // The status bar reads the usage in its own time; no tool tells it.
    const asked = demo.control.log.entries.filter(({ route }) => route !== 'GET /meta/usage');
    assert.deepEqual(asked, []);
  });

  it('answer through both doors that nobody is signed in, once that is so', async () => {
    const { services } = await activated();
    services.connect(null);
    const words = await invoke('find_reports', {});
    assert.match(words, /Not signed in/);
    const { content } = await client.callTool({ name: 'reportlibrary_find_reports', arguments: {} });
    assert.deepEqual(content, [{ type: 'text', text: words }]);
    demo = await sharedDemo(await activated());
    assert.match(await invoke('find_reports', {}), /report_key/);
  });
});
