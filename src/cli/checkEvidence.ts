import { fileURLToPath } from 'node:url';
import { systemClock } from '../base/clock.ts';
import { silentLogger } from '../base/logger.ts';
import { once } from '../base/once.ts';
import { inFolder, readLock } from '../downloads/lockFile.ts';
import { lookAtFile } from '../downloads/verify.ts';
import { checkRecords, comparableText, type EvidencePdfs, type PdfOfReport } from '../evidence/check.ts';
import { countsOf, evidenceName, parseEvidence } from '../evidence/record.ts';
import { readText } from '../files/changeFile.ts';
import { onDisk } from '../files/guard.ts';
import { PdfReader } from '../text/extract.ts';
import { type CommandContext, type CommandOutcome, scriptOf } from './context.ts';
import { exit, UsageProblem } from './exit.ts';
import { countWords, fileIn, folderAt, upstreamHere } from './folder.ts';
import { shown } from './output.ts';

/** Holds every quote of the folder against the PDFs that are here. No network. */
export async function checkEvidence(context: CommandContext): Promise<CommandOutcome> {
  const { out, signal, store } = context;
  const at = folderAt(context);
  const text = await onDisk(() => readText(inFolder(at, evidenceName)));
  if (text === undefined) throw new UsageProblem(`There is no ${evidenceName} in ${shown(at.folder)}.`);
  const { records, problems } = parseEvidence(text);
  const script = fileURLToPath(scriptOf('text/reader.worker'));
  const reader = store.add(new PdfReader({ script, clock: systemClock, logger: silentLogger }));
  const { reports } = await readLock(at, signal);
  const here: EvidencePdfs['here'] = async (isWanted) => {
    const found: PdfOfReport[] = [];
    for (const row of reports.filter(isWanted)) {
      const { sha256, reason } = await lookAtFile(at, row, 'read', signal);
      const pdf = { report_id: row.report_id, path: fileIn(at, row.path), problem: reason };
      if (sha256 !== undefined) found.push({ ...pdf, sha256 });
    }
    return found;
  };
  const textOf = async ({ path, sha256 }: PdfOfReport) => comparableText(await reader.read(path, { signal }), sha256);
  // The library is opened once, however many records are of another report's PDF.
  const upstream = once(() => upstreamHere(context, [...new Set(records.map(({ report_id }) => report_id))], signal));
  const presentId = async (id: number) => (await upstream.get()).get(id)?.report_id;
  const onProgress = out.progress('Checking', records.length);
  const checked = await checkRecords(records, { here, text: textOf, presentId }, signal, onProgress);
  for (const { record, state, page, reason } of checked) {
    if (state === 'same') continue;
    const parts = [state.padEnd(10), record.id, shown(record.report_key), page === undefined ? '' : `p. ${page}`];
    out.line([...parts, reason ?? ''].join('  ').trimEnd());
  }
  for (const problem of problems) out.line(shown(problem));
  out.line(`${countsOf(records)}: ${countWords(checked.map(({ state }) => state))}`);
  return {
    code: checked.every(({ state }) => state === 'same') && problems.length === 0 ? exit.same : exit.differs,
    document: {
      evidence: checked.map(({ record: { id, report_key }, state, page }) => ({ id, report_key, state, page })),
      problems,
    },
  };
}
