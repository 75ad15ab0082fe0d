import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../../../../src/editor/common/log.ts';
import {
  changeEvidence,
  changeRecords,
  editNote,
  type KeptRecord,
  onDidChangeEvidence,
  removeQuotes,
} from '../../../../src/editor/evidence/evidenceFiles.ts';
import { type EvidenceRecord, parseEvidence } from '../../../../src/evidence/record.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';

describe('a quote that is removed', () => {
  const home = temporaryFolder();
  const log = { error: assert.fail } as unknown as Log;
  const { showInformationMessage, showInputBox } = vscode.window;
  afterEach(() => {
    Object.assign(vscode.window, { showInformationMessage, showInputBox });
  });

  const file = (name: string) => join(home.path, name, 'reports', 'reports.evidence.json');
  const written = () => parseEvidence(readFileSync(file('own'), 'utf8')).records;

  async function folder(name: string) {
    await mkdir(join(home.path, name, 'reports'), { recursive: true });
    return { uri: vscode.Uri.file(join(home.path, name)), folder: 'reports', isWorkspace: true };
  }

  async function kept(): Promise<KeptRecord> {
    const selector = {
      type: 'TextQuoteSelector',
      exact: 'In Europe our emissions fell',
      prefix: '',
      suffix: '',
    } as const;
    const record: EvidenceRecord = {
      ...{ id: 'abcd12345678', report_id: 1, report_key: 'K', sha256: 'a'.repeat(64), kind: 'quote', selector },
      ...{ regions: [{ page: 1, label: null, rectangles: [[1, 2, 3, 4]] }], note: '' },
      created_at: '2026-01-01T00:00:00.000Z',
    };
    const root = await folder('own');
    await changeRecords(root, () => [record]);
    return { root, record };
  }

  /** Resolves once the quotes are written as they are expected to be. */
  const writtenAs = (isExpected: (records: readonly EvidenceRecord[]) => boolean) =>
    new Promise<void>((resolve) => {
      const subscription = onDidChangeEvidence(() => {
        if (!isExpected(written())) return;
        subscription.dispose();
        resolve();
      });
    });

  it('comes back with the note that it had when it was removed, and keeps a note that came meanwhile', async () => {
    const quote = await kept();
    vscode.window.showInputBox = async () => {
      await changeEvidence(quote.root, (all) => ({
        ...all,
        records: all.records.map((one) => ({ ...one, note: 'newer' })),
      }));
      return 'mine';
    };
    await editNote(quote);
    assert.equal(written()[0]?.note, 'mine · newer');
    vscode.window.showInformationMessage = (async () => 'Undo') as typeof showInformationMessage;
    const removed = writtenAs(({ length }) => length === 0);
    const back = removed.then(() => writtenAs(({ length }) => length === 1));
    await removeQuotes([quote], log);
    await back;
    assert.equal(written()[0]?.note, 'mine · newer');
  });

  it('is removed with those chosen with it, and comes back where that is undone', async () => {
    const quote = await kept();
    const told: string[] = [];
    const remove = async (answer: string | undefined) => {
      vscode.window.showInformationMessage = (async (text: string) => {
        told.push(text);
        return answer;
      }) as typeof showInformationMessage;
      await removeQuotes([quote], log);
    };
    const removed = writtenAs(({ length }) => length === 0);
    const back = removed.then(() => writtenAs(({ length }) => length === 1));
    await remove('Undo');
    await back;
    assert.deepEqual(written(), [quote.record]);
    await remove(undefined);
    assert.deepEqual(written(), []);
    assert.match(told[0] ?? '', /1 quote removed.*stays in your documents/);
    await assert.rejects(removeQuotes([], log), /Choose a quote/);
  });

  it('can be taken back, though another file of evidence could not be changed', async () => {
    const quote = await kept();
    const newer = await folder('newer');
    await writeFile(file('newer'), '{"version": 2}');
    const [told, answered] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    vscode.window.showInformationMessage = ((text: string) => {
      told.resolve(text);
      return answered.promise;
    }) as typeof showInformationMessage;
    await assert.rejects(removeQuotes([quote, { ...quote, root: newer }], log), /version 2/);
    assert.match(await told.promise, /^1 quote removed/);
    assert.deepEqual(written(), []);
    const back = writtenAs(({ length }) => length === 1);
    answered.resolve('Undo');
    await back;
    assert.deepEqual(written(), [quote.record]);
  });
});
