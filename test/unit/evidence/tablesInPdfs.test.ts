import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { findTable, joinedPage } from '../../../src/evidence/findTable.ts';
import { cellForm } from '../../../src/evidence/tableForms.ts';
import { PdfReader } from '../../../src/text/extract.ts';
import { cellsOf } from '../../../src/webview/pdfPreview/tableGrid.ts';
import { demoTables, madeTables, wordsOfPage } from '../../support/tables/madeTables.ts';

describe('tables that the preview read, in the text that the check reads', function () {
  this.timeout(120_000);

  it('are found again, and none is with another figure', async () => {
    const script = join(import.meta.dirname, '..', '..', '..', 'src', 'text', 'reader.worker.ts');
    const folder = await mkdtemp(join(tmpdir(), 'report-library-tables-'));
    const reader = new PdfReader({ script, clock: systemClock, logger: silentLogger });
    const notFound: string[] = [];
    try {
      for (const { name, bytes, columns, rows } of [...madeTables(), ...(await demoTables(10))]) {
        const words = await wordsOfPage(bytes);
        const cells = cellsOf(words, { columns, rows }).map((row) => row.map(({ text }) => cellForm(text)));
        const path = join(folder, 'table.pdf');
        await writeFile(path, bytes);
        const read = await reader.read(path, new AbortController().signal);
        assert.equal(read.kind, 'read');
        const pages = ['A page before', ...read.pages.map(({ text }) => text)].map(joinedPage);
        const found = findTable([cells], pages);
        if (found.state !== 'found' || found.pages[0] !== 2) notFound.push(`${name}: ${found.state}`);
        const other = cells.map((row, y) =>
          row.map((cell, x) => (y === 2 && x === row.length - 1 ? '8,765,431' : cell)),
        );
        assert.equal(findTable([other], pages).state, 'gone', name);
      }
    } finally {
      reader.dispose();
      await rm(folder, { recursive: true });
    }
    assert.deepEqual(notFound, []);
  });
});
