import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../../src/base/clock.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { checkAll } from '../../../../src/editor/evidence/checkEvidence.ts';
import type { EvidencePorts, QuotedPdf } from '../../../../src/editor/evidence/context.ts';
import { addQuote } from '../../../../src/editor/evidence/quote.ts';
import type { EvidenceRecord } from '../../../../src/evidence/record.ts';
import { PdfReader } from '../../../../src/text/extract.ts';
import { smallPdf } from '../../../support/text/smallPdf.ts';
import { sha256, temporaryFolder } from '../../downloads/fixtures.ts';

/** So many PDFs, with a quote from each. */
const files = 40;
const turns = [undefined, 90, 270] as const;

const line = (file: number, page: number, number: number) =>
  `Figure ${file}.${page}.${number} of the group is ${(file * 7919 + page * 104_729 + number * 1299) % 99_991} tonnes`;

describe('many quotes over many PDFs', function () {
  this.timeout(300_000);
  const home = temporaryFolder();
  const script = join(import.meta.dirname, '..', '..', '..', '..', 'src', 'text', 'reader.worker.ts');

  it('are all the same for the same bytes, and lie where their words do', async () => {
    const reader = new PdfReader({ script, clock: systemClock, logger: silentLogger });
    // Here nobody cancels what takes longer on a busy machine.
    const { withProgress } = vscode.window;
    const patient = async (_: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>) =>
      work({ report() {} }, { onCancellationRequested: () => ({ dispose() {} }) });
    Object.assign(vscode.window, { withProgress: patient });
    try {
      await mkdir(join(home.path, 'reports'));
      const root = { uri: vscode.Uri.file(home.path), folder: 'reports', isWorkspace: true };
      const pdfs = await Promise.all(
        Array.from({ length: files }, async (_, file): Promise<QuotedPdf> => {
          const turned = turns[file % 3];
          const pages = [1, 2, 3].map((page) => Array.from({ length: 20 }, (__, at) => line(file, page, at)));
          const bytes = Buffer.from(smallPdf({ pages, ...(turned && { turned }) }));
          const path = `${file}.pdf`;
          await writeFile(join(home.path, 'reports', path), bytes);
          const row = {
            ...{ report_id: file + 1, report_key: `K${file}`, company_key: 'C', path, schema_version: 'V3' },
            ...{ sha256: sha256(bytes), bytes: bytes.length, downloaded_at: '2026-01-01T00:00:00.000Z' },
          };
          return { root, row, uri: vscode.Uri.file(join(home.path, 'reports', path)) };
        }),
      );
      const texts = new Map<string, Awaited<ReturnType<EvidencePorts['text']>>>();
      const ports = {
        memory: { get: () => undefined, keys: () => [], update: async () => undefined },
        report: async () => undefined,
        downloads: async () => ({ roots: [root], localPdfs: async (is) => pdfs.filter(is) }),
        async text({ sha256: hash, path }) {
          const read = texts.has(hash) ? undefined : await reader.read(path);
          if (read) texts.set(hash, read.kind === 'read' ? { pages: read.pages } : { reason: read.kind });
          return texts.get(hash) ?? assert.fail();
        },
        rectangles: async (pdf, { page, exact, prefix }) =>
          (await reader.lines(pdf, { page, exact, prefix })).map(({ box }) => box),
      } as Partial<EvidencePorts> as EvidencePorts;
      for (let file = 0; file < files; file += 1) {
        const [page, number] = [1 + (file % 3), file % 19];
        const exact = `${line(file, page, number).slice(7)} ${line(file, page, number + 1)}`;
        await addQuote(ports, { report_id: file + 1, page, exact });
      }
      const { quotes } = await checkAll(ports);
      assert.equal(quotes.length, files);
      assert.ok(quotes.every(({ state }) => state === 'same'));
      const text = await readFile(join(home.path, 'reports', 'reports.evidence.json'), 'utf8');
      for (const { report_id, regions, selector } of (JSON.parse(text) as { evidence: EvidenceRecord[] }).evidence) {
        const [{ rectangles = [] } = {}] = regions;
        const number = Number(/\.(\d+) of/.exec(selector.exact)?.[1]);
        assert.equal(rectangles.length, 2, selector.exact);
        const overlap = share(selected(report_id - 1, regions[0]?.page ?? 0, number), rectangles[0] ?? [0, 0, 0, 0]);
        assert.ok(overlap >= 0.9, `${selector.exact}: ${overlap} of ${rectangles[0]}`);
      }
    } finally {
      Object.assign(vscode.window, { withProgress });
      reader.dispose();
    }
  });

  /** Where the first line of a quote is: a character is 6 points wide, and as high as the font says. */
  function selected(file: number, page: number, number: number): readonly number[] {
    const [from, to] = [7 * 6, line(file, page, number).length * 6];
    const down = 14 * number;
    const turned = turns[file % 3];
    if (turned === 90) return [50 + down - 8, 50 + from, 50 + down + 2, 50 + to];
    if (turned === 270) return [545 - down - 2, 792 - to, 545 - down + 8, 792 - from];
    return [50 + from, 780 - down - 2, 50 + to, 780 - down + 8];
  }

  function share(of: readonly number[], by: readonly number[]): number {
    const side = (low: number, high: number) =>
      Math.max(0, Math.min(of[high] ?? 0, by[high] ?? 0) - Math.max(of[low] ?? 0, by[low] ?? 0));
    const area = ((of[2] ?? 0) - (of[0] ?? 0)) * ((of[3] ?? 0) - (of[1] ?? 0));
    return (side(0, 2) * side(1, 3)) / area;
  }
});
