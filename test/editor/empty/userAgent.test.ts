import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Secret } from '../../../src/base/secret.ts';
import { activated } from '../../support/editor/demo.ts';
import { closeServers, json, serve } from '../../support/localServer.ts';

describe('requests from the editor', () => {
  it('name the extension, the version of its package, and the editor (LIM-3)', async () => {
    const { services } = await activated();
    const seen = new Set<string | undefined>();
    const { baseUrl } = await serve((request, response) => {
      seen.add(request.headers['user-agent']);
      json(response, {}, 404);
    });
    try {
      services.connect({ id: 'agent', name: 'Agent', baseUrl, key: new Secret('a-key-of-nobody'), isDemo: false });
      await assert.rejects(services.call((client) => client.health()));
      const product = vscode.extensions.getExtension('report-library.report-library');
      const version: string | undefined = product?.packageJSON.version;
      assert.deepEqual([...seen], [`report-library-vscode/${version} VSCode/${vscode.version}`]);
    } finally {
      await vscode.commands.executeCommand('reportLibrary.signOut');
      await closeServers();
    }
  });
});
