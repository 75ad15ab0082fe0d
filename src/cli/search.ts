import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '../base/logger.ts';
import type { LockRow } from '../downloads/manifest.ts';
import { machineFolder } from '../machine/machineState.ts';
import { pagesName } from '../text/pagesName.ts';
import type { HerePdf, ReadFailure } from '../text/textIndex.ts';
import { openTextIndex } from '../text/textIndex.ts';
import { type CommandContext, type CommandOutcome, scriptOf } from './context.ts';
import { exit, UsageProblem } from './exit.ts';
import { limitOf } from './find.ts';
import { folderAt, lockThere, pdfsHere } from './folder.ts';
import { shown } from './output.ts';

export const textPath = () => join(machineFolder(), 'text', pagesName);

/** Why a PDF that Git rewrote is not searched, and what to do. */
const gitWords: Partial<Record<ReadFailure, string>> = {
  'lfs-pointer': 'a Git LFS pointer, not the PDF. Run git lfs pull, or restore',
  'line-ends': 'line endings changed by Git. Restore it, and mark *.pdf as binary in .gitattributes',
};

/** Searches the pages of the PDFs that the lock names, and reads those first that nobody has read. No network. */
export async function search(context: CommandContext): Promise<CommandOutcome> {
  const { out, names, signal } = context;
  const limit = limitOf(context.values);
  const words = names.join(' ').trim();
  if (words === '') throw new UsageProblem('Give a word or a “phrase” to search for.');
  const { index, rows, shas } = await openTexts(context, (await lockThere(context)).reports, false);
  const told = out.progress('Reading', shas.length);
  for (const [done, sha256] of shas.entries()) {
    await index.readNow([sha256], signal);
    told(done + 1);
  }
  const { hits, next } = await index.search({ query: words, shas, limit, cursor: null }, signal);
  const { searchable, withoutText, failed, lists } = await index.coverage(shas);
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
  const unread = lists.failed.flatMap(({ sha256, reason }) =>
    (of.get(sha256) ?? []).map(({ report_id, report_key }) => ({ report_id, report_key, reason })),
  );
  for (const { report_key, reason } of unread)
    out.line(`not searched  ${shown(report_key)}  ${gitWords[reason] ?? reason}`);
  const document = { hits: found, more: next !== null, coverage: { searchable, withoutText, failed, unread } };
  return { code: found.length > 0 ? exit.same : exit.differs, document };
}

/**
 * Opens the text index with the local PDFs of these rows.
 * @param reads whether it reads new PDFs in the background
 */
export async function openTexts(context: CommandContext, reports: readonly LockRow[], reads: boolean) {
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
  const shas = [...new Set(rows.map(({ sha256 }) => sha256))];
  await index.setPublished(shas);
  await index.setHere(here);
  await index.setEnabled(reads);
  return { index, rows, shas };
}
