import { statsOf } from '../downloads/disk.ts';
import { isOfOtherService, type Lock } from '../downloads/manifest.ts';
import { lastingOrigin, type Upstream } from '../downloads/ports.ts';
import type { FileReaders } from '../downloads/readers.ts';
import { type FileState, hasOtherKey, lookAtFiles, stateOf } from '../downloads/verify.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { exit } from './exit.ts';
import { countWords, fileIn, folderAt, lockThere, pathFromHere, upstreamHere } from './folder.ts';
import { shown } from './output.ts';

const fine: ReadonlySet<FileState | 'withdrawn'> = new Set(['verified', 'matches-lock', 'unverified']);
const words: Partial<Record<FileState | 'withdrawn', string>> = {
  'matches-lock': 'matching the lock',
  'other-key': 'not matching the library',
};

/** Reads every PDF of the lock, in these threads too, and compares its hash with the lock's. */
export async function compare(context: CommandContext, readers: FileReaders): Promise<CommandOutcome> {
  const { out, signal } = context;
  const at = folderAt(context);
  const lock = await lockThere(context);
  const { reports } = lock;
  const upstream = await published(context, lock);
  const onProgress = out.progress('Verifying', reports.length);
  const held = await lookAtFiles(at, reports, { readers, signal, onProgress });
  const checks = held.map((one) => {
    const known = upstream.get(one.row.report_id);
    const state = stateOf(one, known);
    const isWithdrawn = one.state === 'same' && known?.withdrawn && state !== 'other-key';
    return { ...one, state: isWithdrawn ? ('withdrawn' as const) : state };
  });
  for (const { row, state, reason } of checks) {
    if (fine.has(state)) continue;
    const parts = [state.padEnd(12), shown(row.report_key), shown(pathFromHere(at, `${at.folder}/${row.path}`))];
    out.line([...parts, ...(reason === undefined ? [] : [reason])].join('  '));
  }
  const total = `${checks.length} ${checks.length === 1 ? 'PDF' : 'PDFs'}`;
  out.line(`${total}: ${countWords(checks.map(({ state }) => words[state] ?? state))}`);
  return {
    code: checks.every(({ state }) => fine.has(state)) ? exit.same : exit.differs,
    document: {
      reports: checks.map(({ row, state, reason }) => ({
        report_id: row.report_id,
        report_key: row.report_key,
        path: pathFromHere(at, `${at.folder}/${row.path}`),
        state,
        ...(reason !== undefined && { reason }),
      })),
    },
  };
}

/** What the library here says of the lock's reports; nothing where there is none, or the lock is of another service. */
async function published(context: CommandContext, lock: Lock): Promise<ReadonlyMap<number, Upstream>> {
  const { account, signal } = context;
  const { baseUrl } = account;
  const isOurs = baseUrl !== undefined && !isOfOtherService(lock, lastingOrigin(baseUrl));
  const ids = lock.reports.map(({ report_id }) => report_id);
  return isOurs ? upstreamHere(context, ids, signal) : new Map();
}

/** Says which PDFs of the lock are here, by their sizes alone, and which rows the library here contradicts. */
export async function status(context: CommandContext): Promise<CommandOutcome> {
  const { out } = context;
  const at = folderAt(context);
  const lock = await lockThere(context);
  const { reports } = lock;
  const upstream = await published(context, lock);
  const stats = await statsOf(reports.map(({ path }) => fileIn(at, path)));
  const states = reports.map((row, index) => {
    const found = stats[index];
    if (!found) return 'missing';
    if (!found.isFile() || found.size !== row.bytes) return 'edited';
    return hasOtherKey(row, upstream.get(row.report_id)) ? 'other-key' : 'here';
  });
  for (const [index, { report_key, path }] of reports.entries())
    if (states[index] !== 'here')
      out.line(`${states[index]?.padEnd(9)}  ${shown(report_key)}  ${shown(pathFromHere(at, `${at.folder}/${path}`))}`);
  out.line(
    `${reports.length} in the lock: ${countWords(states.map((state) => (state === 'other-key' ? words[state] : undefined) ?? state))}`,
  );
  return {
    code: states.every((state) => state === 'here') ? exit.same : exit.differs,
    document: {
      reports: reports.map(({ report_id, report_key, path }, index) => ({
        report_id,
        report_key,
        path: pathFromHere(at, `${at.folder}/${path}`),
        state: states[index],
      })),
    },
  };
}
