import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Secret } from '../../../../src/base/secret.ts';
import type { Connections } from '../../../../src/editor/signin/connections.ts';
import { switchConnection } from '../../../../src/editor/signin/switchConnection.ts';

const nothing = () => ({ dispose() {} });

describe('Switch Connection', () => {
  afterEach(() => {
    Reflect.deleteProperty(vscode.window, 'createQuickPick');
  });

  /** The row on which Enter would act as the list opens; the person leaves it. */
  async function active(inUse?: { readonly id: string }): Promise<string | undefined> {
    let hide = () => {};
    const box = {
      activeItems: [] as { label: string }[],
      ...{ onDidAccept: nothing, onDidTriggerItemButton: nothing, dispose() {} },
      onDidHide(listener: () => void) {
        hide = listener;
      },
      show: () => hide(),
    };
    Object.assign(vscode.window, { createQuickPick: () => box });
    const stored = ['a', 'b'].map((id) => {
      return { id, name: `Desk ${id}`, baseUrl: 'https://reports.example.com/api/v2', key: new Secret(`key-${id}`) };
    });
    const session = inUse ? { kind: 'signedIn', connection: inUse } : { kind: 'signedOut' };
    const context = { services: { session }, connections: { list: async () => stored } };
    await switchConnection({ context, strayLibraries: async () => [] } as unknown as Connections);
    return box.activeItems[0]?.label;
  }

  it('begins at the connection in use, or at the first one where nobody is signed in', async () => {
    assert.equal(await active({ id: 'b' }), 'Desk b');
    assert.equal(await active(), 'Desk a');
  });
});
