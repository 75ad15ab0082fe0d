import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated } from '../../support/editor/handles.ts';

describe('the tools for assistants, where AI features are switched off', () => {
  it('leave the extension as it is, and other agents can still be configured', async () => {
    assert.equal(vscode.workspace.getConfiguration('chat').get('disableAIFeatures'), true);
    await activated();
    await vscode.commands.executeCommand('reportLibrary.copyMcpConfiguration');
    assert.match(await vscode.env.clipboard.readText(), /"mcpServers"/);
  });
});
