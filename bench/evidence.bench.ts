import { createHash, randomBytes } from 'node:crypto';
import { checkRecords } from '../src/evidence/check.ts';
import { formatEvidence, mergeEvidence, noEvidence, parseEvidence } from '../src/evidence/record.ts';
import { manyRecords } from '../test/support/evidence/madePages.ts';
import { type BenchmarkResult, round, rowOf } from './libraryBenchmark.ts';

const goal = 1000;
const count = 10_000;
const bytesOfPdf = 5_000_000;

/**
 * Check Evidence over 10,000 records of 40 newer PDFs, gone quotes and tables among them, and the merge of two files of
 * 10,000, each beside the hashing of 40 PDFs of 5 MB, which a check needs too and is not part of the goal.
 */
export async function run(): Promise<readonly BenchmarkResult[]> {
  const { records, pdfs } = manyRecords(count);
  const [one, two] = [0, count / 2].map((start) =>
    formatEvidence({
      ...noEvidence,
      records: records.map((record, index) => ({ ...record, id: `id-${start + index}` })),
    }),
  ) as [string, string];
  const bytes = randomBytes(bytesOfPdf);
  const [checks, merges, hashes]: [number[], number[], number[]] = [[], [], []];
  for (let time = 0; time < 10; time += 1) {
    checks.push(await timed(() => checkRecords(records, pdfs, new AbortController().signal)));
    merges.push(await timed(() => formatEvidence(mergeEvidence(parseEvidence(one), parseEvidence(two)))));
    hashes.push(
      await timed(() => {
        for (let pdf = 0; pdf < 40; pdf += 1) createHash('sha256').update(bytes).digest();
      }),
    );
  }
  return [
    ['check of 10,000 records against 40 newer PDFs', 'Check Evidence', checks] as const,
    ['merge of two files of 10,000 records', 'Merge Evidence', merges] as const,
  ].map(([name, peer, times]) => {
    const own = rowOf(peer, times);
    const ratio = round(own.p50 / goal);
    return {
      name,
      goal: `<= ${goal} ms beside hashing`,
      unit: 'ms',
      rows: [own, rowOf('SHA-256 of 40 PDFs of 5 MB', hashes)],
      ratio,
      met: ratio <= 1,
    };
  });
}

async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
