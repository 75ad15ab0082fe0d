import type { LibraryMethods } from '../src/library/library.ts';
import { DuckdbTable } from './duckdbTable.ts';
import { filledLibrary } from './libraryBench.ts';
import { type BenchmarkResult, percentile, round, rowOf, sizeOf } from './libraryBenchmark.ts';

interface Question {
  readonly name: string;
  /** How many times as fast as DuckDB the library is to be. */
  readonly goal: number;
  ours(library: LibraryMethods, turn: number): unknown;
  theirs(duckdb: DuckdbTable, turn: number): Promise<unknown>;
}

const list = 'report_id, company_key, company_name, title, fcyear, type, language';
const newest = 'ORDER BY fcyear DESC, report_id DESC';
const where = "type = ? AND fcyear = ? AND list_contains(string_split(language, ';'), ?) AND gri AND tcfd";
const year = (turn: number) => 2016 + (turn % 9);
const language = (turn: number) => (turn % 2 === 0 ? 'en' : 'de');

function questions(companies: readonly string[]): Question[] {
  const key = (turn: number) => companies[(turn * 31) % companies.length] ?? '';
  const fifty = (turn: number) => Array.from({ length: 50 }, (_, index) => key(turn + index));
  const filter = (turn: number) => ({
    type: ['SR'],
    fcyear: [year(turn)],
    language: [language(turn)],
    facts: { standards_gri: true, standards_tcfd: true },
  });
  const matrix = 'SELECT company_key, fcyear, count(*) FROM reports';
  return [
    {
      name: 'one company, its reports',
      goal: 5,
      ours: (library, turn) => library.reports({ company_key: [key(turn)] }, { limit: 200 }),
      theirs: (duckdb, turn) =>
        duckdb.ask(`SELECT ${list} FROM reports WHERE company_key = ? ${newest} LIMIT 200`, key(turn)),
    },
    {
      name: 'matrix of 50 companies',
      goal: 5,
      ours: (library, turn) => library.coverage({ company_key: fifty(turn) }),
      theirs: (duckdb, turn) =>
        duckdb.ask(`${matrix} WHERE company_key IN (${fifty(turn).map(() => '?')}) GROUP BY ALL`, ...fifty(turn)),
    },
    {
      name: 'filter, count',
      goal: 2,
      ours: (library, turn) => library.countReports(filter(turn)),
      theirs: (duckdb, turn) =>
        duckdb.ask(`SELECT count(*) FROM reports WHERE ${where}`, 'SR', year(turn), language(turn)),
    },
    {
      name: 'filter, first 200',
      goal: 2,
      ours: (library, turn) => library.reports(filter(turn), { limit: 200 }),
      theirs: (duckdb, turn) =>
        duckdb.ask(
          `SELECT ${list}, json FROM reports WHERE ${where} ${newest} LIMIT 200`,
          'SR',
          year(turn),
          language(turn),
        ),
    },
    {
      name: 'words while typing, top 50',
      goal: 1,
      ours: (library, turn) => library.reports({ text: ['sust', 'climate', 'annual rep'][turn % 3] }, { limit: 50 }),
      theirs: (duckdb, turn) =>
        duckdb.ask(
          `SELECT ${list}, json FROM reports WHERE title ILIKE ? OR company_name ILIKE ? ${newest} LIMIT 50`,
          ...Array.from({ length: 2 }, () => ['%sust%', '%climate%', '%annual rep%'][turn % 3]),
        ),
    },
    {
      name: 'whole coverage matrix',
      goal: 1,
      ours: (library) => library.coverage(),
      theirs: (duckdb) => duckdb.ask(`${matrix} GROUP BY ALL`),
    },
  ];
}

/** The library's answers beside those of DuckDB in memory, the same rows and questions, taking turns. */
export async function run(): Promise<BenchmarkResult[]> {
  const reports = sizeOf('DUCKDB_REPORTS', 100_000);
  const turns = sizeOf('DUCKDB_TURNS', 30);
  const duckdb = await DuckdbTable.filled(reports);
  const library = filledLibrary(reports);
  try {
    const { items: companies } = library.methods.companies({}, { limit: 500 });
    const asked = questions(companies.map(({ company_key }) => company_key));
    const times = asked.map(() => ({ ours: [] as number[], theirs: [] as number[] }));
    // The first turns fill the caches.
    for (let turn = -3; turn < turns; turn++) {
      for (const [index, { ours, theirs }] of asked.entries()) {
        const began = performance.now();
        ours(library.methods, turn + 3);
        const between = performance.now();
        await theirs(duckdb, turn + 3);
        const ended = performance.now();
        if (turn < 0) continue;
        times[index]?.ours.push(between - began);
        times[index]?.theirs.push(ended - between);
      }
    }
    return asked.map(({ name, goal }, index) => {
      const { ours, theirs } = times[index] ?? { ours: [], theirs: [] };
      const ratio = percentile(theirs, 0.5) / percentile(ours, 0.5);
      return {
        name: `${name}, of ${reports} reports`,
        goal: `>= ${goal}x as fast as DuckDB`,
        unit: 'ms',
        rows: [rowOf('library', ours), rowOf('DuckDB, in memory', theirs)],
        ratio: round(ratio),
        met: ratio >= goal,
      };
    });
  } finally {
    duckdb.close();
    library.close();
    library.remove();
  }
}
