import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { showEvidence } from '../../../../src/app/events.ts';
import { setContextKey } from '../../../../src/editor/common/commands.ts';
import type { CheckedQuote, EvidenceCheck } from '../../../../src/editor/evidence/checkEvidence.ts';
import type { EvidencePorts } from '../../../../src/editor/evidence/context.ts';
import { changeRecords } from '../../../../src/editor/evidence/evidenceFiles.ts';
import { EvidenceTree } from '../../../../src/editor/evidence/tree.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';

describe('the Evidence view', () => {
  const home = temporaryFolder();
  const { executeCommand } = vscode.commands;
  let context: unknown[][] = [];
  beforeEach(async () => {
    Object.assign(vscode.commands, {
      executeCommand: async (...asked: unknown[]) => void context.push(asked),
    });
    await setContextKey('reportLibrary.evidence', false);
    context = [];
  });
  afterEach(() => {
    Object.assign(vscode.commands, { executeCommand });
  });

  it('is there from the start in a workspace that had quotes, and in no other one', () => {
    const start = (isKept: boolean) =>
      showEvidence({ extension: { workspaceState: { get: () => isKept } } as unknown as vscode.ExtensionContext });
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
      { message: '', visible: false },
      async (isKept) => void noted.push(isKept),
    );
    await tree.show(found);
    found = { quotes: [], problems: [] };
    await tree.show(found);
    assert.deepEqual(noted, [true, false]);
    tree.dispose();
  });

  it('keeps its rows until a change shows, so that an open menu keeps its row', async () => {
    const uri = vscode.Uri.file(home.path);
    const root = { uri, folder: 'reports', isWorkspace: true };
    let note = '';
    const check = async (): Promise<EvidenceCheck> => {
      return { quotes: [{ root, state: 'same', record: { note } } as CheckedQuote], problems: [] };
    };
    const ports = { log: { error: assert.fail } } as unknown as EvidencePorts;
    const tree = new EvidenceTree(ports, check, { message: '', visible: true }, async () => {});
    await tree.getChildren();
    let drawn = 0;
    const changed = new Promise<void>((resolve) => {
      tree.onDidChangeTreeData(() => {
        drawn += 1;
        if (tree.quotes[0]?.record.note === 'a note') resolve();
      });
    });
    await changeRecords(root, (all) => all);
    note = 'a note';
    await changeRecords(root, (all) => all);
    await changed;
    assert.equal(drawn, 1);
    tree.dispose();
  });
});
