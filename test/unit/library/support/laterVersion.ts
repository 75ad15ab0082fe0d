import type { Report } from '../../../../src/api/schemas/report.ts';
import type { WriteCounts } from '../../../../src/library/libraryChange.ts';
import { triStateFields } from '../../../../src/library/reportQuery.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import { bring, openFile } from './stores.ts';
import { read, type WireReport, wireReport } from './wireReports.ts';

/** Lines for the top of the table of fields, so that no field is where it was. */
export const newLines = `
  pretend_note: text('note', 'Note', 'A pretend text.'),
  pretend_fact: fact('pretend', 'Pretend', 'A pretend fact.'),
`;

export const numbers = Array.from({ length: 20 }, (_, index) => index + 1);

/** A report with the new fields, as a service that has them sends it. */
export function laterWire(n: number): WireReport {
  const isSo = n % 2 === 0;
  const cells = { note: `note ${n}`, pretend: isSo ? 'TRUE' : 'FALSE' };
  const wire = wireReport(n);
  return {
    ...wire,
    ...{ pretend_note: cells.note, pretend_fact: isSo },
    metadata: { ...(wire.metadata as object), ...cells },
  };
}

/** What a library answers to everything that reads stored values. */
export function answersOf(store: LibraryStore) {
  const values = [true, false, null];
  const { counts, marks, years, keys } = store.coverage();
  return {
    reports: numbers.map((n): Report | undefined => store.report(read(wireReport(n)).report_id)?.report),
    facts: Object.fromEntries(
      triStateFields.map((field) => [field, values.map((value) => store.reportIds({ facts: { [field]: value } }))]),
    ) as Record<string, number[][]>,
    lists: [
      store.reports({}, { limit: 100 }).items,
      store.reports({ sort: 'published' }, { limit: 100 }).items,
      store.reports({ fcyear: [2015], fcyear_split: numbers.map((n) => 2000 + n) }, { limit: 100 }).items,
    ],
    coverage: { keys, years, counts: [...counts], marks: [...marks] },
    owed: store.syncRecord().walkOwed,
  };
}

/** What a later version found in a library, and what it made of reports that came anew. */
export interface Found {
  readonly before: ReturnType<typeof answersOf>;
  readonly counts: WriteCounts;
  readonly news: number;
  readonly after: ReturnType<typeof answersOf>;
}

// Run by itself, over a table of fields with the new lines.
const [, script, path] = process.argv;
if (path !== undefined && script?.endsWith('laterVersion.ts')) {
  const store = openFile(path);
  const before = answersOf(store);
  const { counts } = bring(
    store,
    numbers.map((n) => read(laterWire(n))),
  );
  const found: Found = { before, counts, news: store.unseen([]).all, after: answersOf(store) };
  store.close();
  process.stdout.write(JSON.stringify(found));
}
