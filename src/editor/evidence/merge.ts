import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { inFolder, readText } from '../../downloads/lockFile.ts';
import {
  conflictLine,
  countsOf,
  type EvidenceRecord,
  evidenceName,
  mergeEvidence,
  noEvidence,
  resolveEvidence,
} from '../../evidence/record.ts';
import { labelText } from '../common/messages.ts';
import { changeEvidence, evidenceFile, folderAt } from './evidenceFiles.ts';
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
  const records: EvidenceRecord[] = [];
  for (const root of conflicts) records.push(...(await merged(root, '')));
  if (conflicts.length > 0) return tell(records);
  if (roots.length === 0) throw new Error(vscode.l10n.t('Open a folder first.'));
  const filters = { JSON: ['json'] };
  const title = vscode.l10n.t('Merge Evidence');
  const root = roots.length === 1 ? roots[0] : await chooseRoot(roots, title);
  if (!root) return;
  const [file] = (await vscode.window.showOpenDialog({ title, filters, defaultUri: root.uri })) ?? [];
  if (!file) return;
  if ((await stat(file.fsPath)).size > maxBytes) throw new Error(vscode.l10n.t('This file is too large to be merged.'));
  tell(await merged(root, await readFile(file.fsPath, 'utf8')));
}

/** The folder whose file takes the quotes in; undefined when the person leaves. */
async function chooseRoot(roots: readonly EvidenceRoot[], title: string): Promise<EvidenceRoot | undefined> {
  const items = roots.map((root) => ({ label: labelText(evidenceFile(root).fsPath), root }));
  return (await vscode.window.showQuickPick(items, { title }))?.root;
}

/** @returns the records that the folder has then */
async function merged(root: EvidenceRoot, text: string): Promise<readonly EvidenceRecord[]> {
  const theirs = text === '' ? noEvidence : resolveEvidence(text);
  let records: readonly EvidenceRecord[] = [];
  await changeEvidence(
    root,
    (mine) => {
      const both = mergeEvidence(mine, theirs);
      records = both.records;
      return both;
    },
    resolveEvidence,
  );
  return records;
}

function tell(records: readonly EvidenceRecord[]): void {
  const kept = countsOf(records);
  void vscode.window.showInformationMessage(vscode.l10n.t('Merged. The evidence file has {0} now.', kept));
}
