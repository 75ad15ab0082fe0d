import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, signedInDemo } from '../../support/editor/demo.ts';

describe('a connection', () => {
  it('sends the key in the header that the user chose, from the next request on', async () => {
    const handles = await activated();
    const demo = await signedInDemo(handles);
    const configuration = vscode.workspace.getConfiguration('reportLibrary');
    const headers = async () => {
      demo.control.log.clear();
      await handles.services.call((client) => client.health());
      await handles.services.call((client) => client.entitlements());
      const [entry] = demo.control.log.to('GET /entitlements');
      assert.equal(entry?.status, 200);
      return [entry.headers.authorization !== undefined, entry.headers['x-api-key'] !== undefined];
    };
    try {
      assert.deepEqual(await headers(), [true, false]);
      await configuration.update('authentication', 'x-api-key', vscode.ConfigurationTarget.Global);
      assert.deepEqual(await headers(), [false, true]);
    } finally {
      await configuration.update('authentication', undefined, vscode.ConfigurationTarget.Global);
      handles.services.connect(null);
      await demo.dispose();
    }
  });

  it('is handed to no extension: there is no session and no key, however it is asked for', async () => {
    const handles = await activated();
    const demo = await signedInDemo(handles);
    try {
      for (const scopes of [[], ['read']]) {
        const session = await vscode.authentication.getSession('reportLibrary', scopes, { silent: true });
        assert.equal(session, undefined);
      }
      const canary = demo.key.reveal().slice(15);
      const accounts = await vscode.authentication.getAccounts('reportLibrary');
      assert.ok(!JSON.stringify(accounts).includes(canary));
    } finally {
      handles.services.connect(null);
      await demo.dispose();
    }
  });
});
