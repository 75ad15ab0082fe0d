import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCatalogue, handWritten } from '../src/demo/seed/catalogue.ts';
import { root } from './places.ts';

/** Pages, bytes and SHA-256 of the PDF of each report written by hand, drawn anew, as `src/demo/data/pdfs.json` has them. */
export async function drawnPdfs(): Promise<Readonly<Record<string, string>>> {
  const catalogue = createCatalogue(handWritten);
  const drawn: Record<string, string> = {};
  for (const report of catalogue.reports.filter(({ has_file }) => has_file)) {
    const { pages, bytes, sha256 } = await catalogue.pdf(report);
    drawn[report.report_id] = `${pages} ${bytes.byteLength} ${sha256}`;
  }
  return drawn;
}

// Run by itself it writes them.
if (import.meta.main) {
  const file = join(root, 'src', 'demo', 'data', 'pdfs.json');
  await writeFile(file, `${JSON.stringify(await drawnPdfs(), null, 2)}\n`);
}
