import type { LockRow } from '../downloads/manifest.ts';
import type { DownloadResult } from '../downloads/ports.ts';
import type { UpdateLook } from '../downloads/restore.ts';
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
  for (const { row, reason } of look.notServed) out.line(`${'kept'.padEnd(16)}  ${shown(row.report_key)}  ${reason}`);
  if (values['dry-run']) return wouldUpdate(context, look);
  const wanted = [...look.changed, ...look.merged].map(({ row, report }) => ({ id: row.report_id, report }));
  const results = await folder.download(wanted, {
    signal,
    priority: 'interactive',
    onResult: (result) => resultLine(context, result),
  });
  signal.throwIfAborted();
  const came = results.length > 0 ? `, ${countWords(results.map(wordOf))}` : '';
  out.line(
    `${look.current.length} up to date${came}${look.notServed.length > 0 ? `, ${look.notServed.length} kept` : ''}`,
  );
  const code = Math.max(exitOfResults(results, exit.differs), notServedCode(look)) as ExitCode;
  const at = folderAt(context);
  return {
    code,
    document: {
      reports: [
        ...look.current.map((row) => ({ ...named(row), status: 'unchanged' })),
        ...results.map((result) => resultDocument(at, result)),
        ...look.notServed.map(keptDocument),
      ],
    },
  };
}

const named = ({ report_id, report_key }: LockRow) => ({ report_id, report_key });
const keptDocument = ({ row, cause, reason }: UpdateLook['notServed'][number]) => ({
  ...named(row),
  status: 'kept',
  cause,
  reason,
});

/** Reports that are no longer served differ from the lock; a service that failed says nothing of them. */
function notServedCode({ notServed }: UpdateLook): ExitCode {
  return exitOfResults(notServed, exit.differs);
}

function wouldUpdate({ out }: CommandContext, look: UpdateLook): CommandOutcome {
  for (const { report } of look.changed) out.line(`${'changed'.padEnd(16)}  ${shown(report.report_key)}`);
  out.line(`${look.current.length} up to date, ${look.changed.length} changed, ${look.notServed.length} not served.`);
  const code = Math.max(notServedCode(look), look.changed.length > 0 ? exit.differs : exit.same) as ExitCode;
  const reports = [
    ...[...look.current, ...look.merged.map(({ row }) => row)].map((row) => ({ ...named(row), status: 'unchanged' })),
    ...look.changed.map(({ row }) => ({ ...named(row), status: 'changed' })),
    ...look.notServed.map(keptDocument),
  ];
  return { code, document: { reports } };
}
