import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { setContextKey } from '../../../../src/editor/common/commands.ts';
import type { CheckedQuote, EvidenceCheck } from '../../../../src/editor/evidence/checkEvidence.ts';
import type { EvidencePorts } from '../../../../src/editor/evidence/ports.ts';
import { registerEvidence } from '../../../../src/editor/evidence/register.ts';
import { EvidenceTree } from '../../../../src/editor/evidence/tree.ts';

const nothing = () => ({ dispose() {} });

describe('the Evidence view', () => {
  const { executeCommand } = vscode.commands;
  const view = { onDidChangeVisibility: nothing, onDidExpandElement: nothing, onDidCollapseElement: nothing };
  let context: unknown[][] = [];
  beforeEach(async () => {
    Object.assign(vscode.commands, {
      registerCommand: nothing,
      executeCommand: async (...asked: unknown[]) => void context.push(asked),
    });
    Object.assign(vscode.window, { createTreeView: () => ({ ...view, ...nothing() }) });
    const providers = { registerHoverProvider: nothing, registerDocumentDropEditProvider: nothing };
    Object.assign(vscode.languages, providers);
    await setContextKey('reportLibrary.evidence', false);
    context = [];
  });
  afterEach(() => {
    Object.assign(vscode.commands, { executeCommand });
    Reflect.deleteProperty(vscode.commands, 'registerCommand');
    Reflect.deleteProperty(vscode.window, 'createTreeView');
    Reflect.deleteProperty(vscode.languages, 'registerHoverProvider');
    Reflect.deleteProperty(vscode.languages, 'registerDocumentDropEditProvider');
  });

  it('is there from the start in a workspace that had quotes, and in no other one', () => {
    const start = (isKept: boolean) => {
      const state = { get: () => isKept } as unknown as vscode.Memento;
      const never = async () => assert.fail('nothing is read at the start');
      registerEvidence(never, nothing, { follow: nothing } as never, {} as never, state).dispose();
    };
    start(false);
    assert.deepEqual(context, []);
    start(true);
    assert.deepEqual(context, [['setContext', 'reportLibrary.evidence', true]]);
  });

  it('remembers whether there are quotes each time they are looked at', async () => {
    const noted: boolean[] = [];
    let found: EvidenceCheck = { quotes: [{ state: 'same', record: {} } as CheckedQuote], problems: [] };
    const tree = new EvidenceTree(
      {} as EvidencePorts,
      async () => found,
      { message: '' },
      async (isKept) => void noted.push(isKept),
    );
    await tree.show(found);
    found = { quotes: [], problems: [] };
    await tree.show(found);
    assert.deepEqual(noted, [true, false]);
    tree.dispose();
  });
});
