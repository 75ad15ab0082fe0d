import { readFile } from 'node:fs/promises';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The text of the PDFs that a list names, by stock pdf.js; prints what the process used. */
const [list = ''] = process.argv.slice(2);
for (const path of JSON.parse(await readFile(list, 'utf8')) as string[]) {
  const task = getDocument({ data: new Uint8Array(await readFile(path)), useSystemFonts: false, verbosity: 0 });
  // What it can't open is not what is measured here.
  const document = await task.promise.catch(() => null);
  if (!document) continue;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    await page.getTextContent();
    page.cleanup();
  }
  await task.destroy();
}
const { user, system } = process.cpuUsage();
const { maxRSS } = process.resourceUsage();
process.stdout.write(`\n${JSON.stringify({ cpu: (user + system) / 1e6, memory: maxRSS / 1024 })}\n`);
