import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { Secret } from '../../../src/base/secret.ts';
import { activated } from '../../support/editor/demo.ts';

describe('requests from the editor', () => {
  it('name the extension, the version of its package, and the editor (LIM-3)', async () => {
    const { services } = await activated();
    const seen = new Set<string | undefined>();
    const server = createServer((request, response) => {
      seen.add(request.headers['user-agent']);
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{}');
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`;
      services.connect({ id: 'agent', name: 'Agent', baseUrl, key: new Secret('a-key-of-nobody'), isDemo: false });
      await assert.rejects(services.call((client) => client.health()));
      const product = vscode.extensions.getExtension('report-library.report-library');
      const version: string | undefined = product?.packageJSON.version;
      assert.deepEqual([...seen], [`report-library-vscode/${version} VSCode/${vscode.version}`]);
    } finally {
      await vscode.commands.executeCommand('reportLibrary.signOut');
      server.close();
      server.closeAllConnections();
    }
  });
});
