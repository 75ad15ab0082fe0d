import * as vscode from 'vscode';
import { plainText } from '../../base/words.ts';
import { longestNote, noted, wordsOfRecord } from '../../evidence/record.ts';
import { changeEvidence, type KeptRecord } from './evidenceFiles.ts';

/** Asks for the author's note on a quote or table, and keeps it; an empty one takes it away. */
export async function editNote({ root, record }: KeptRecord): Promise<void> {
  const note = await vscode.window.showInputBox({
    title: record.kind === 'table' ? vscode.l10n.t('Note on a Table') : vscode.l10n.t('Note on a Quote'),
    prompt: plainText(wordsOfRecord(record), 200),
    value: record.note,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.length > longestNote ? vscode.l10n.t('A note has at most {0} characters.', longestNote) : undefined,
  });
  if (note === undefined || note === record.note) return;
  await changeEvidence(root, (all) => ({
    ...all,
    records: all.records.map((one) => (one.id === record.id ? noted(one, record.note, note.trim()) : one)),
  }));
}
