import { statsOf } from '../downloads/disk.ts';
import { isOfOtherService, type Lock } from '../downloads/manifest.ts';
import { lastingOrigin, type Upstream } from '../downloads/ports.ts';
import type { FileReaders } from '../downloads/readers.ts';
import { type FileState, lookAtFiles, stateOf, upstreamIn } from '../downloads/verify.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { exit } from './exit.ts';
import { countWords, fileIn, folderAt, lockThere, pathFromHere } from './folder.ts';
import { shown } from './output.ts';

const fine: ReadonlySet<FileState | 'withdrawn'> = new Set(['verified', 'matches-lock', 'unverified']);
const words: Partial<Record<FileState | 'withdrawn', string>> = { 'matches-lock': 'matching the lock' };

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
    return { ...one, state: one.state === 'same' && known?.withdrawn ? ('withdrawn' as const) : stateOf(one, known) };
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
  const library = isOurs ? await (await import('./sync.ts')).libraryThere(context) : undefined;
  const ids = lock.reports.map(({ report_id }) => report_id);
  return library ? upstreamIn(library.withSignal(signal), ids, signal) : new Map();
}

/** Says which PDFs of the lock are here, by their sizes alone. */
export async function status(context: CommandContext): Promise<CommandOutcome> {
  const { out } = context;
  const at = folderAt(context);
  const { reports } = await lockThere(context);
  const stats = await statsOf(reports.map(({ path }) => fileIn(at, path)));
  const states = reports.map(({ bytes }, index) => {
    const found = stats[index];
    if (!found) return 'missing';
    return found.isFile() && found.size === bytes ? 'here' : 'edited';
  });
  for (const [index, { report_key, path }] of reports.entries())
    if (states[index] !== 'here')
      out.line(`${states[index]?.padEnd(8)}  ${shown(report_key)}  ${shown(pathFromHere(at, `${at.folder}/${path}`))}`);
  out.line(`${reports.length} in the lock: ${countWords(states)}`);
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
