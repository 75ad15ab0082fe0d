import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '../base/logger.ts';
import { notThroughLinks, statsOf } from '../downloads/disk.ts';
import { machineFolder } from '../machine/place.ts';
import type { HerePdf } from '../text/textIndex.ts';
import { openTextIndex } from '../text/textIndex.ts';
import { type CommandContext, type CommandOutcome, scriptOf } from './context.ts';
import { exit, UsageProblem } from './exit.ts';
import { limitOf } from './find.ts';
import { fileIn, folderAt, lockThere } from './folder.ts';
import { shown } from './output.ts';

/** The text index of the command line. */
export const textPath = () => join(machineFolder(), 'text', 'pages.sqlite');

/** Searches the pages of the PDFs that the lock names, and reads those first that nobody has read. No network. */
export async function search(context: CommandContext): Promise<CommandOutcome> {
  const { out, names, signal, store } = context;
  const limit = limitOf(context.values);
  const words = names.join(' ').trim();
  if (words === '') throw new UsageProblem('Give a word or a “phrase” to search for.');
  const at = folderAt(context);
  const { reports } = await lockThere(context);
  const plain = await notThroughLinks(
    at.root,
    reports.map(({ path }) => `${at.folder}/${path}`),
  );
  const rows = reports.filter(({ path }) => plain.has(`${at.folder}/${path}`));
  const paths = rows.map(({ path }) => fileIn(at, path));
  const stats = await statsOf(paths);
  const here = rows.flatMap(({ sha256 }, index): HerePdf[] => {
    const found = stats[index];
    if (!found?.isFile()) return [];
    return [{ path: paths[index] ?? '', sha256, bytes: found.size, mtimeMs: found.mtimeMs, day: 0 }];
  });
  const index = openTextIndex({
    path: textPath(),
    worker: scriptOf('text/text.worker'),
    reader: fileURLToPath(scriptOf('text/reader.worker')),
    logger: silentLogger,
  });
  store.add({ dispose: () => void index.dispose() });
  await index.setWindow({ focused: true, enabled: false });
  await index.setReports(rows.map(({ sha256, report_id, report_key }) => ({ sha256, report_id, report_key })));
  await index.setHere(here);
  const told = out.progress('Reading', here.length);
  const shas = [...new Set(here.map(({ sha256 }) => sha256))];
  for (const [done, sha256] of shas.entries()) {
    await index.readNow([sha256], signal);
    told(done + 1);
  }
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
