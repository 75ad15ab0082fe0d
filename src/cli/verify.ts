import { isOfOtherService, type Lock, type LockRow } from '../downloads/manifest.ts';
import { lastingOrigin, type Upstream } from '../downloads/ports.ts';
import { type FileState, hasOtherKey, lookAtFile, lookAtFiles, stateOf } from '../downloads/verify.ts';
import { statsOf } from '../files/guard.ts';
import { mayBeRewritten } from '../machine/gitRewrites.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { exit } from './exit.ts';
import { countWords, fileIn, folderAt, lockThere, pathFromHere, upstreamHere } from './folder.ts';
import { shown } from './output.ts';

interface FileReport {
  readonly row: LockRow;
  readonly state: FileState | 'withdrawn' | 'here';
  readonly reason?: string | undefined;
}

const fine: ReadonlySet<FileReport['state']> = new Set(['verified', 'matches-lock', 'unverified', 'here']);
const words: Partial<Record<FileReport['state'], string>> = {
  'matches-lock': 'matching the lock',
  'lfs-pointer': 'replaced by a Git LFS pointer',
  'line-ends': 'with line endings changed by Git',
  'other-key': 'not matching the library',
};

/** Compares every PDF of the lock with its hash, without network or key. Adds what the local library knows. */
export async function verify(context: CommandContext): Promise<CommandOutcome> {
  const { out, signal } = context;
  const { reports, upstream } = await lockAndUpstream(context);
  const onProgress = out.progress('Verifying', reports.length);
  const held = await lookAtFiles(folderAt(context), reports, { signal, onProgress });
  const checks = held.map(({ row, state: heldState, reason }): FileReport => {
    const known = upstream.get(row.report_id);
    const state = stateOf({ row, state: heldState }, known);
    const isWithdrawn = heldState === 'same' && known?.withdrawn && state !== 'other-key';
    return { row, state: isWithdrawn ? 'withdrawn' : state, reason };
  });
  return report(context, checks, 12, `${checks.length} ${checks.length === 1 ? 'PDF' : 'PDFs'}`);
}

/** Reports which PDFs of the lock are here, by their sizes alone, and which rows the library here contradicts. */
export async function status(context: CommandContext): Promise<CommandOutcome> {
  const at = folderAt(context);
  const { reports, upstream } = await lockAndUpstream(context);
  const stats = await statsOf(reports.map(({ path }) => fileIn(at, path)));
  const checks: FileReport[] = [];
  for (const [index, row] of reports.entries()) {
    const found = stats[index];
    if (!found) checks.push({ row, state: 'missing' });
    else if (!found.isFile() || found.size !== row.bytes) {
      // Only what Git may have written is read.
      const isRead = found.isFile() && mayBeRewritten(found.size, row.bytes);
      const { state, reason } = isRead
        ? await lookAtFile(at, row, 'read', context.signal)
        : { state: 'edited' as const, reason: undefined };
      checks.push({ row, state: state === 'same' ? 'here' : state, reason });
    } else checks.push({ row, state: hasOtherKey(row, upstream.get(row.report_id)) ? 'other-key' : 'here' });
  }
  return report(context, checks, 12, `${reports.length} in the lock`);
}

/** The lock's rows and what the library here knows of them: nothing without one, or for a lock of another service. */
async function lockAndUpstream(
  context: CommandContext,
): Promise<Pick<Lock, 'reports'> & { readonly upstream: ReadonlyMap<number, Upstream> }> {
  const lock = await lockThere(context);
  const { baseUrl } = context.account;
  const isOurs = baseUrl !== undefined && !isOfOtherService(lock, lastingOrigin(baseUrl));
  const ids = lock.reports.map(({ report_id }) => report_id);
  return { reports: lock.reports, upstream: isOurs ? await upstreamHere(context, ids, context.signal) : new Map() };
}

/** A line for each file that differs, the counts of all, and the document. */
function report(context: CommandContext, checks: readonly FileReport[], width: number, total: string): CommandOutcome {
  const { out } = context;
  const at = folderAt(context);
  const reports = checks.map(({ row: { report_id, report_key, path: below }, state, reason }) => {
    const path = pathFromHere(at, `${at.folder}/${below}`);
    if (!fine.has(state))
      out.line([state.padEnd(width), shown(report_key), shown(path), reason ?? []].flat().join('  '));
    return { report_id, report_key, path, state, ...(reason !== undefined && { reason }) };
  });
  out.line(`${total}: ${countWords(checks.map(({ state }) => words[state] ?? state))}`);
  return { code: checks.every(({ state }) => fine.has(state)) ? exit.same : exit.differs, document: { reports } };
}
