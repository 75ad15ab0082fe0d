import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Emitter } from '../../base/disposable.ts';
import { plainText } from '../../base/words.ts';
import { type FolderAt, inFolder } from '../../downloads/lockFile.ts';
import { type HeldFile, lookAtFile } from '../../downloads/verify.ts';
import {
  conflictLine,
  countsOf,
  type Evidence,
  EvidenceProblem,
  type EvidenceRecord,
  evidenceName,
  formatEvidence,
  longestNote,
  mergeEvidence,
  noEvidence,
  noted,
  parseEvidence,
  resolveEvidence,
} from '../../evidence/record.ts';
import { changeFile, decodeUtf, readText } from '../../files/changeFile.ts';
import { DiskProblem, pathOf } from '../../files/guard.ts';
import type { Log } from '../common/log.ts';
import { labelText, notificationText, RestrictedError, showProblem } from '../common/messages.ts';
import type { EvidencePorts, EvidenceRoot, QuotedPdf } from './context.ts';

const changed = new Emitter<null>();

/** Fires when this window has written quotes. */
export const onDidChangeEvidence = changed.event;

/** A record, and the folder whose file has it. */
export interface KeptRecord {
  readonly root: EvidenceRoot;
  readonly record: EvidenceRecord;
}

const evidenceFile = (root: EvidenceRoot) => inFolder(folderAt(root), evidenceName);

function folderAt({ uri, folder, isWorkspace }: EvidenceRoot): FolderAt {
  return { root: uri.fsPath, folder, isPrivate: !isWorkspace };
}

/** Files by their paths, as they were last read: each hover over a quote asks for them. */
const lastRead = new Map<string, { readonly text: string; readonly evidence: Evidence }>();

/** What a folder's file says; a text is parsed once. @throws EvidenceProblem or DiskProblem when it can't be read */
async function readEvidence(root: EvidenceRoot): Promise<Evidence> {
  const at = evidenceFile(root);
  const text = await readText(at);
  if (text === undefined) return noEvidence;
  const known = lastRead.get(pathOf(at));
  const evidence = known?.text === text ? known.evidence : evidenceIn(text);
  lastRead.set(pathOf(at), { text, evidence });
  return evidence;
}

/** What a file says. A merge conflict is read as both of its sides. @throws EvidenceProblem when it can't be read */
function evidenceIn(text: string): Evidence {
  try {
    return parseEvidence(text);
  } catch (error) {
    if (!(error instanceof EvidenceProblem && error.isConflict)) throw error;
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

/**
 * Changes a folder's quotes as a whole; a reader sees what was or what is.
 * @returns what the file says then
 * @throws EvidenceProblem or DiskProblem
 */
export async function changeEvidence(
  root: EvidenceRoot,
  change: (evidence: Evidence) => Evidence,
  read: (text: string) => Evidence = parseEvidence,
): Promise<Evidence> {
  if (root.isWorkspace && !vscode.workspace.isTrusted)
    throw new RestrictedError(
      vscode.l10n.t('Quotes and tables can’t be saved in Restricted Mode. Trust this workspace, then try again.'),
    );
  let made = noEvidence;
  const next = (text: string | undefined) => {
    made = change(text === undefined ? noEvidence : read(text));
    return formatEvidence(made);
  };
  await changeFile(evidenceFile(root), next);
  changed.fire(null);
  return made;
}

/** The same for its records alone. */
export async function changeRecords(
  root: EvidenceRoot,
  change: (records: readonly EvidenceRecord[]) => readonly EvidenceRecord[],
): Promise<void> {
  await changeEvidence(root, (all) => ({ ...all, records: change(all.records) }));
}

/**
 * How a PDF's file stands to its row; read unless known to be unchanged. Without a SHA-256 when the file is gone, can't
 * be read, or lies behind a link that leads out of the folder.
 */
export function heldFileOf({ root, row }: QuotedPdf, signal?: AbortSignal): Promise<HeldFile> {
  return lookAtFile(folderAt(root), row, 'read', signal);
}

/** Asks for the author's note on a quote or table, and keeps it; an empty one takes it away. */
export async function editNote({ root, record }: KeptRecord): Promise<void> {
  const note = await vscode.window.showInputBox({
    title: record.kind === 'table' ? vscode.l10n.t('Note on a Table') : vscode.l10n.t('Note on a Quote'),
    prompt: plainText(record.selector.exact, 200),
    value: record.note,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.length > longestNote ? vscode.l10n.t('A note can have up to {0} characters.', longestNote) : undefined,
  });
  if (note === undefined || note === record.note) return;
  await changeRecords(root, (all) =>
    all.map((one) => (one.id === record.id ? noted(one, record.note, note.trim()) : one)),
  );
}

/**
 * Takes quotes out of their files, and says how to get them back. Text inserted into documents stays there.
 * @throws EvidenceProblem or DiskProblem
 */
export async function removeQuotes(quotes: readonly KeptRecord[], log: Log): Promise<void> {
  if (quotes.length === 0) throw new Error(vscode.l10n.t('Choose a quote in the Evidence view to remove.'));
  const removed = new Map<EvidenceRoot, readonly EvidenceRecord[]>();
  const gone: KeptRecord[] = [];
  try {
    for (const [root, kept] of Map.groupBy(quotes, ({ root }) => root)) {
      const ids = new Set(kept.map(({ record }) => record.id));
      let taken: readonly EvidenceRecord[] = [];
      await changeRecords(root, (all) => {
        taken = all.filter(({ id }) => ids.has(id));
        return all.filter(({ id }) => !ids.has(id));
      });
      removed.set(root, taken);
      gone.push(...kept);
    }
  } finally {
    // Also when one file can't be changed: what is gone from the others can be taken back. Nobody waits for it.
    if (gone.length > 0) offerUndo(gone, removed).catch((error: unknown) => showProblem(error, log));
  }
}

async function offerUndo(
  gone: readonly KeptRecord[],
  removed: ReadonlyMap<EvidenceRoot, readonly EvidenceRecord[]>,
): Promise<void> {
  const done = vscode.l10n.t(
    '{0} removed from the evidence file. What was inserted stays in your documents.',
    countsOf(gone.map(({ record }) => record)),
  );
  const undo = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(notificationText(done), undo)) !== undo) return;
  for (const [root, records] of removed)
    await changeEvidence(root, (all) => mergeEvidence(all, { ...noEvidence, records }));
}

/** Largest file that is merged, in bytes. */
const maxBytes = 64_000_000;

/**
 * Merge Evidence…: joins the two sides of a merge conflict in this workspace's quotes, or without one takes in another
 * file's quotes. Nothing of either is lost.
 */
export async function mergeCommand(ports: EvidencePorts): Promise<void> {
  const { roots } = await ports.downloads();
  const records: EvidenceRecord[] = [];
  const merge = async (root: EvidenceRoot, theirs: Evidence) => {
    records.push(...(await changeEvidence(root, (mine) => mergeEvidence(mine, theirs), resolveEvidence)).records);
  };
  // All are read first: where one can't be, none is changed.
  const conflicts: EvidenceRoot[] = [];
  for (const root of roots) if (conflictLine((await readText(evidenceFile(root))) ?? '') > 0) conflicts.push(root);
  for (const root of conflicts) await merge(root, noEvidence);
  if (conflicts.length === 0) {
    const given = await fileToMerge(roots);
    if (!given) return;
    await merge(given.root, resolveEvidence(given.text));
  }
  const kept = countsOf(records);
  void vscode.window.showInformationMessage(vscode.l10n.t('Merged. The evidence file has {0} now.', kept));
}

/** Asks for the file, and for the folder whose file takes its quotes in; undefined when the person leaves. */
async function fileToMerge(roots: readonly EvidenceRoot[]) {
  if (roots.length === 0) throw new Error(vscode.l10n.t('Open a folder first.'));
  const title = vscode.l10n.t('Merge Evidence');
  const items = roots.map((root) => ({ label: labelText(pathOf(evidenceFile(root))), root }));
  const root = roots.length === 1 ? roots[0] : (await vscode.window.showQuickPick(items, { title }))?.root;
  if (!root) return undefined;
  const dialog = { title, filters: { JSON: ['json'] }, defaultUri: root.uri };
  const [file] = (await vscode.window.showOpenDialog(dialog)) ?? [];
  if (!file) return undefined;
  if ((await stat(file.fsPath)).size > maxBytes) throw new Error(vscode.l10n.t('This file is too large to be merged.'));
  return { root, text: decodeUtf(await readFile(file.fsPath), file.fsPath) };
}
