import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/disposable.ts';
import { DiskProblem, hashFile, onDisk } from '../../downloads/disk.ts';
import { type FolderAt, inFolder, readText, updateText } from '../../downloads/lockFile.ts';
import { pathOf } from '../../downloads/publish.ts';
import { lookAtFile } from '../../downloads/verify.ts';
import {
  type Evidence,
  EvidenceProblem,
  type EvidenceRecord,
  evidenceName,
  formatEvidence,
  noEvidence,
  parseEvidence,
  resolveEvidence,
} from '../../evidence/record.ts';
import { RestrictedError } from '../common/messages.ts';
import type { EvidencePorts, EvidenceRoot, QuotedPdf } from './ports.ts';

const changed = new Emitter<null>();

/** Fires when this window has written quotes. */
export const onDidChangeEvidence = changed.event;

/** A record, and the folder whose file has it. */
export interface KeptRecord {
  readonly root: EvidenceRoot;
  readonly record: EvidenceRecord;
}

export function folderAt({ uri, folder, isWorkspace }: EvidenceRoot): FolderAt {
  return { root: uri.fsPath, folder, isPrivate: !isWorkspace };
}

/** Where the quotes of a folder are kept. */
export function evidenceFile(root: EvidenceRoot): vscode.Uri {
  return vscode.Uri.file(pathOf(inFolder(folderAt(root), evidenceName)));
}

/**
 * What a folder's file says. A merge conflict is read as both of its sides.
 * @throws EvidenceProblem or DiskProblem when it can't be read
 */
export async function readEvidence(root: EvidenceRoot): Promise<Evidence> {
  const text = await readText(inFolder(folderAt(root), evidenceName));
  if (text === undefined) return noEvidence;
  try {
    return parseEvidence(text);
  } catch (error) {
    if (!(error instanceof EvidenceProblem) || error.code !== 'conflict') throw error;
    const both = resolveEvidence(text);
    return { ...both, problems: [error.message, ...both.problems] };
  }
}

/** The quotes of all folders of this window, and what is wrong with their files, in words for a person. */
export async function keptRecords(
  ports: EvidencePorts,
): Promise<{ readonly kept: readonly KeptRecord[]; readonly problems: readonly string[] }> {
  const { roots } = await ports.downloads();
  const kept: KeptRecord[] = [];
  const problems: string[] = [];
  for (const root of roots) {
    try {
      const evidence = await readEvidence(root);
      kept.push(...evidence.records.map((record) => ({ root, record })));
      problems.push(...evidence.problems);
    } catch (error) {
      if (!(error instanceof EvidenceProblem || error instanceof DiskProblem)) throw error;
      problems.push(error.message);
    }
  }
  return { kept, problems };
}

/** Changes a folder's quotes as a whole; a reader sees what was or what is. @throws EvidenceProblem or DiskProblem */
export async function changeEvidence(
  root: EvidenceRoot,
  change: (evidence: Evidence) => Evidence,
  read: (text: string) => Evidence = parseEvidence,
): Promise<void> {
  if (root.isWorkspace && !vscode.workspace.isTrusted)
    throw new RestrictedError(
      vscode.l10n.t(
        'Quotes and tables are not written in Restricted Mode. Trust this workspace first, then try again.',
      ),
    );
  const next = (text: string | undefined) => formatEvidence(change(text === undefined ? noEvidence : read(text)));
  await updateText(inFolder(folderAt(root), evidenceName), next, systemClock);
  changed.fire(null);
}

/**
 * Takes records out of a folder's file.
 * @returns them as the file had them
 * @throws EvidenceProblem or DiskProblem
 */
export async function removeRecords(root: EvidenceRoot, ids: readonly string[]): Promise<readonly EvidenceRecord[]> {
  let removed: readonly EvidenceRecord[] = [];
  await changeEvidence(root, (all) => {
    removed = all.records.filter(({ id }) => ids.includes(id));
    return { ...all, records: all.records.filter(({ id }) => !ids.includes(id)) };
  });
  return removed;
}

/**
 * The SHA-256 of a PDF's bytes as they are now, which are read unless they are known unchanged. Undefined when it is gone,
 * can't be read, or lies behind a link that leads out of the folder.
 */
export async function hashOf({ root, row }: QuotedPdf, signal?: AbortSignal): Promise<string | undefined> {
  const at = folderAt(root);
  const { state } = await lookAtFile(at, row, 'read', signal);
  if (state === 'same') return row.sha256;
  if (state === 'missing' || state === 'unreadable') return undefined;
  return (await onDisk(() => hashFile(pathOf(inFolder(at, row.path)), signal))).sha256;
}
