import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '../base/logger.ts';
import type { LockRow } from '../downloads/manifest.ts';
import { machineFolder } from '../machine/place.ts';
import type { HerePdf } from '../text/textIndex.ts';
import { openTextIndex } from '../text/textIndex.ts';
import { type CommandContext, type CommandOutcome, scriptOf } from './context.ts';
import { exit, UsageProblem } from './exit.ts';
import { limitOf } from './find.ts';
import { folderAt, lockThere, pdfsHere } from './folder.ts';
import { shown } from './output.ts';

/** The text index of the command line. */
export const textPath = () => join(machineFolder(), 'text', 'pages.sqlite');

/** Searches the pages of the PDFs that the lock names, and reads those first that nobody has read. No network. */
export async function search(context: CommandContext): Promise<CommandOutcome> {
  const { out, names, signal } = context;
  const limit = limitOf(context.values);
  const words = names.join(' ').trim();
  if (words === '') throw new UsageProblem('Give a word or a “phrase” to search for.');
  const { index, rows, shas } = await readTexts(context, (await lockThere(context)).reports);
  const { hits, next } = await index.search({ query: words, shas, limit, cursor: null }, signal);
  const { searchable, withoutText, failed } = await index.coverage(shas);
  const of = Map.groupBy(rows, ({ sha256 }) => sha256);
  const found = hits.flatMap(({ sha256, page, label, snippet }) =>
    (of.get(sha256) ?? []).map(({ report_id, report_key }) => ({
      ...{ report_id, report_key, sha256, page, label, snippet },
    })),
  );
  for (const { report_key, page, snippet } of found) out.line(`${shown(report_key)} p. ${page}: ${shown(snippet)}`);
  const left = failed + withoutText;
  out.line(
    `${found.length} pages${next === null ? '' : ', and more'} in ${searchable} PDFs${left ? `; ${left} can't be searched` : ''}`,
  );
  const document = { hits: found, more: next !== null, coverage: { searchable, withoutText, failed } };
  return { code: found.length > 0 ? exit.same : exit.differs, document };
}

/** The text index, once the PDFs of these rows that are here and were never read are read. */
export async function readTexts(context: CommandContext, reports: readonly LockRow[]) {
  const pdfs = await pdfsHere(folderAt(context), reports);
  const rows = pdfs.map(({ row }) => row);
  const here = pdfs.map(({ row: { sha256 }, file, stats }): HerePdf => {
    return { path: file, sha256, bytes: stats.size, mtimeMs: stats.mtimeMs, day: 0 };
  });
  const index = openTextIndex({
    path: textPath(),
    worker: scriptOf('text/text.worker'),
    reader: fileURLToPath(scriptOf('text/reader.worker')),
    logger: silentLogger,
  });
  context.store.add({ dispose: () => void index.dispose() });
  await index.setWindow({ focused: true, enabled: false });
  await index.setReports(rows.map(({ sha256, report_id, report_key }) => ({ sha256, report_id, report_key })));
  await index.setHere(here);
  const told = context.out.progress('Reading', here.length);
  const shas = [...new Set(here.map(({ sha256 }) => sha256))];
  for (const [done, sha256] of shas.entries()) {
    await index.readNow([sha256], context.signal);
    told(done + 1);
  }
  return { index, rows, shas };
}
