import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { inFolder, readText } from '../../downloads/lockFile.ts';
import { conflictLine, evidenceName, mergeEvidence, noEvidence, resolveEvidence } from '../../evidence/record.ts';
import { changeEvidence, folderAt } from './evidenceFiles.ts';
import type { EvidencePorts, EvidenceRoot } from './ports.ts';

/** Largest file that is merged, in bytes. */
const maxBytes = 64_000_000;

/**
 * Merge Evidence…: joins the two sides of a merge conflict in this workspace's quotes; where there is none, takes in the
 * quotes of another file. Nothing of either is lost.
 */
export async function mergeCommand(ports: EvidencePorts): Promise<void> {
  const { roots } = await ports.downloads();
  const conflicts: EvidenceRoot[] = [];
  for (const root of roots)
    if (conflictLine((await readText(inFolder(folderAt(root), evidenceName))) ?? '') > 0) conflicts.push(root);
  let count = 0;
  for (const root of conflicts) count += await merged(root, '');
  if (conflicts.length > 0) return tell(count);
  const [root] = roots;
  if (!root) throw new Error(vscode.l10n.t('Open a folder first.'));
  const filters = { JSON: ['json'] };
  const title = vscode.l10n.t('Merge Evidence');
  const [file] = (await vscode.window.showOpenDialog({ title, filters, defaultUri: root.uri })) ?? [];
  if (!file) return;
  if ((await stat(file.fsPath)).size > maxBytes) throw new Error(vscode.l10n.t('This file is too large to be merged.'));
  tell(await merged(root, await readFile(file.fsPath, 'utf8')));
}

/** @returns how many quotes the folder has then */
async function merged(root: EvidenceRoot, text: string): Promise<number> {
  const theirs = text === '' ? noEvidence : resolveEvidence(text);
  let count = 0;
  await changeEvidence(
    root,
    (mine) => {
      const both = mergeEvidence(mine, theirs);
      count = both.records.length;
      return both;
    },
    resolveEvidence,
  );
  return count;
}

function tell(count: number): void {
  const quotes = counted(count, l10n.later('1 quote'), l10n.later('{0} quotes'));
  void vscode.window.showInformationMessage(vscode.l10n.t('Merged. The evidence file has {0} now.', quotes));
}
