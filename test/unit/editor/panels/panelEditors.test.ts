import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PanelEditors } from '../../../../src/editor/panels/panelEditors.ts';

describe('the editors of panels', () => {
  const { executeCommand } = vscode.commands;
  afterEach(() => {
    Object.assign(vscode.commands, { executeCommand });
  });

  it('are opened with what they are to show, also while their former tab is still closing', async () => {
    const types = { schema: { title: 'Schema Dictionary' } } as unknown as ConstructorParameters<
      typeof PanelEditors
    >[1];
    const editors = new PanelEditors({} as ConstructorParameters<typeof PanelEditors>[0], types);
    const shown: unknown[] = [];
    let isClosing = false;
    const openWith = async (_: string, uri: vscode.Uri) => {
      if (isClosing) editors.openDocument('schema', uri).dispose();
      const document = editors.openDocument('schema', uri);
      shown.push(document.input);
      document.input = undefined;
    };
    Object.assign(vscode.commands, { executeCommand: openWith });
    await editors.open({ kind: 'schema' }, { column: 'std_gri' });
    isClosing = true;
    await editors.open({ kind: 'schema' }, { column: 'std_esrs' });
    await editors.open({ kind: 'schema' });
    assert.deepEqual(shown, [{ column: 'std_gri' }, { column: 'std_esrs' }, undefined]);
    editors.dispose();
  });
});
