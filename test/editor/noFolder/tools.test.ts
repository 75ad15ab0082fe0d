import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { activated } from '../../support/editor/demo.ts';

describe('the tools for assistants, where AI features are switched off', () => {
  before(async () => {
    assert.equal(vscode.workspace.getConfiguration('chat').get('disableAIFeatures'), true);
    await activated();
  });

  it('stay for other extensions, and say what the user has to do first', async () => {
    const ours = vscode.lm.tools.filter(({ name }) => name.startsWith('reportlibrary_'));
    assert.equal(ours.length, 9);
    const call = { input: {}, toolInvocationToken: undefined };
    const [part] = (await vscode.lm.invokeTool('reportlibrary_find_reports', call)).content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    assert.match(part.value, /^\{"error":"Not signed in/);
  });

  it('can still be configured for agents outside of the editor, by a launcher that is there', async () => {
    await vscode.commands.executeCommand('reportLibrary.copyMcpConfiguration');
    const { mcpServers } = JSON.parse(await vscode.env.clipboard.readText());
    const launcher: string = mcpServers['report-library'].args.at(-1);
    assert.match(readFileSync(launcher, 'utf8'), /ELECTRON_RUN_AS_NODE=1/);
  });
});
