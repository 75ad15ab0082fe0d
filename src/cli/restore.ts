import type { LockRow } from '../downloads/manifest.ts';
import type { DownloadResult } from '../downloads/ports.ts';
import { sourceOf } from './connect.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { type ExitCode, exit, exitOfResults } from './exit.ts';
import { countWords, folderAt, lockThere, openFolder, pathFromHere, reasonOf, resultDocument } from './folder.ts';
import { shown } from './output.ts';

/** What became of a PDF, in a word: what a lock alone vouches for is not called restored. */
function wordOf({ status, cause, report }: DownloadResult): string {
  if (status === 'failed' && cause !== undefined && cause !== 'service') return cause;
  return status === 'downloaded' && report.content_sha256 === undefined ? 'copied' : status;
}

/** A line for a result that a person wants to see; the others are counted alone. */
export function resultLine(context: CommandContext, result: DownloadResult): void {
  if (result.status === 'unchanged' || result.status === 'cancelled') return;
  const { report, path, reason } = result;
  const at = folderAt(context);
  const parts = [wordOf(result).padEnd(16), shown(report.report_key || `report ${result.report_id}`)];
  if (path !== undefined) parts.push(shown(pathFromHere(at, path)));
  else if (reason !== undefined) parts.push(shown(reasonOf(result.cause, reason)));
  context.out.line(parts.join('  '));
}

/** What came of a batch; `noFile` as for {@link exitOfResults}. */
export function outcomeOfResults(
  context: CommandContext,
  results: readonly DownloadResult[],
  noFile?: ExitCode,
): CommandOutcome {
  context.signal.throwIfAborted();
  context.out.line(`${results.length} ${results.length === 1 ? 'PDF' : 'PDFs'}: ${countWords(results.map(wordOf))}`);
  const at = folderAt(context);
  return {
    code: exitOfResults(results, noFile),
    document: { reports: results.map((result) => resultDocument(at, result)) },
  };
}

/** Brings back the very bytes of the lock: from here, from this machine, else from the service. */
export async function restore(context: CommandContext): Promise<CommandOutcome> {
  const { out, signal, values } = context;
  const source = sourceOf(context);
  const lock = await lockThere(context);
  const folder = await openFolder(context, source);
  const tell = out.progress('Restoring', lock.reports.length);
  let done = 0;
  const results = await folder.restore({
    signal,
    priority: 'interactive',
    frozen: values.frozen === true,
    onResult: (result) => {
      resultLine(context, result);
      tell(++done);
    },
  });
  return outcomeOfResults(context, results, exit.differs);
}

/** Fetches what the service has published anew. */
export async function update(context: CommandContext): Promise<CommandOutcome> {
  const { out, signal, values } = context;
  const source = sourceOf(context);
  const lock = await lockThere(context);
  const folder = await openFolder(context, source);
  const look = await folder.lookForUpdates({
    signal,
    priority: 'interactive',
    onProgress: out.progress('Checking', lock.reports.length),
  });
  const { current, changed, merged, notServed } = look;
  for (const { row, reason } of notServed) out.line(`${'kept'.padEnd(16)}  ${shown(row.report_key)}  ${reason}`);
  const isDry = values['dry-run'] === true;
  const wanted = [...changed, ...merged].map(({ row, report }) => ({ id: row.report_id, report }));
  const onResult = (result: DownloadResult) => resultLine(context, result);
  const results = isDry ? [] : await folder.download(wanted, { signal, priority: 'interactive', onResult });
  signal.throwIfAborted();
  if (isDry) {
    for (const { report } of changed) out.line(`${'changed'.padEnd(16)}  ${shown(report.report_key)}`);
    out.line(`${current.length} up to date, ${changed.length} changed, ${notServed.length} not served.`);
  } else {
    const came = results.length > 0 ? `, ${countWords(results.map(wordOf))}` : '';
    out.line(`${current.length} up to date${came}${notServed.length > 0 ? `, ${notServed.length} kept` : ''}`);
  }
  // Reports that are no longer served differ from the lock; a service that failed says nothing of them.
  const ends = [exitOfResults(results, exit.differs), exitOfResults(notServed, exit.differs)];
  const at = folderAt(context);
  const named = ({ report_id, report_key }: LockRow, status: string) => ({ report_id, report_key, status });
  const unchanged = isDry ? [...current, ...merged.map(({ row }) => row)] : current;
  return {
    code: Math.max(...ends, isDry && changed.length > 0 ? exit.differs : exit.same) as ExitCode,
    document: {
      reports: [
        ...unchanged.map((row) => named(row, 'unchanged')),
        ...(isDry ? changed.map(({ row }) => named(row, 'changed')) : []),
        ...results.map((result) => resultDocument(at, result)),
        ...notServed.map(({ row, cause, reason }) => ({ ...named(row, 'kept'), cause, reason })),
      ],
    },
  };
}
