import { filledLibrary } from './libraryBench.ts';
import { type BenchmarkResult, percentile, round, rowOf, sizeOf } from './libraryBenchmark.ts';
import { type Question, tableQuestions } from './tableQuestions.ts';

const words = [
  'sust',
  'annual rep',
  'a',
  'br',
  'energy 2023',
  'climate discl mining',
  'gra wat',
  'xpar',
  's',
  'de rep 2021',
];
const misspelled = ['sustainabilty', 'anual rep', '', 'clmate', 'energi'];
const letters = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'];
const prefixes = ['a', 's', 're', 'su', 'ene', 'xlo', 'b', '20', 'cor', 'kes'];

/** What people ask while they type and click, and how long the answer may take (goals for 200,000 reports, warm). */
function questions(companies: readonly string[]): Question[] {
  const some = (turn: number, count: number) =>
    Array.from({ length: count }, (_, index) => companies[(turn * 31 + index * 7) % companies.length] ?? '');
  return [
    {
      peer: 'search while typing, 1 to 3 words, top 50',
      goal: 16,
      ask: (library, turn) => library.reports({ text: words[turn % words.length] }, { limit: 50 }),
    },
    {
      peer: 'search, one prefix of up to 3 letters, top 1',
      goal: 16,
      ask: (library, turn) => library.reports({ text: prefixes[turn % prefixes.length] }, { limit: 1 }),
    },
    {
      peer: 'search, words of a fiscal year and a typo, top 50',
      goal: 16,
      ask: (library, turn) =>
        library.reports({ text: misspelled[turn % misspelled.length], fcyear: [2023] }, { limit: 50 }),
    },
    {
      peer: 'latest publication first, 200 of all or of a filter',
      goal: 30,
      ask: (library, turn) => library.reports({ ...(turn % 2 ? filter(turn) : {}), sort: 'published' }, { limit: 200 }),
    },
    {
      peer: 'latest publication first, 200 of those with a frequent word',
      goal: 500,
      ask: (library) => library.reports({ text: 'annual', sort: 'published' }, { limit: 200 }),
    },
    {
      peer: 'one company, its reports',
      goal: 5,
      ask: (library, turn) => library.reports({ company_key: some(turn, 1) }, { limit: 200 }),
    },
    {
      peer: 'coverage matrix of 50 companies, by type family',
      goal: 5,
      ask: (library, turn) => library.coverage({ company_key: some(turn, 50) }),
    },
    {
      peer: 'filter type x year x language x frameworks, count',
      goal: 40,
      ask: (library, turn) => library.countReports(filter(turn)),
    },
    {
      peer: 'filter type x year x language x frameworks, first 200',
      goal: 30,
      ask: (library, turn) => library.reports(filter(turn), { limit: 200 }),
    },
    { peer: 'first 200 companies with counts', goal: 80, ask: (library) => library.companies({}, { limit: 200 }) },
    { peer: 'letters of all companies with counts', goal: 80, ask: (library) => library.companyLetters() },
    {
      peer: 'first 200 companies of a letter',
      goal: 80,
      ask: (library, turn) => library.companies({ letter: letters[turn % letters.length] }, { limit: 200 }),
    },
    { peer: 'whole coverage matrix, by type family', goal: 350, ask: (library) => library.coverage() },
    ...tableQuestions,
  ];
}

function filter(turn: number) {
  return {
    type: [['SR'], ['AR1', 'AR2'], ['IR']][turn % 3] ?? [],
    fcyear: [2018 + (turn % 8)],
    language: [turn % 2 ? 'en' : 'de'],
    facts: { standards_gri: true, standards_tcfd: turn % 4 === 0 ? null : true },
  };
}

/** Questions asked of a library that is at hand. */
export async function run(): Promise<BenchmarkResult> {
  const reports = sizeOf('QUERY_REPORTS', 50_000);
  const turns = sizeOf('QUERY_TURNS', 60);
  const library = filledLibrary(reports);
  try {
    const companies: string[] = [];
    for (let after: string | undefined; companies.length < 5000; ) {
      const page = library.methods.companies({}, { limit: 500, after });
      companies.push(...page.items.map((company) => company.company_key));
      if (page.next === null) break;
      after = page.next;
    }
    const asked = questions(companies);
    const times = asked.map((): number[] => []);
    for (let turn = -5; turn < turns; turn++) {
      for (const [index, question] of asked.entries()) {
        const started = performance.now();
        question.ask(library.methods, turn + 5);
        // The first turns fill the caches.
        if (turn >= 0) times[index]?.push(performance.now() - started);
      }
    }
    const worst = Math.max(...asked.map(({ goal }, index) => percentile(times[index] ?? [], 0.95) / goal));
    return {
      name: `questions to ${reports} reports`,
      goal: 'each p95 within its goal',
      unit: 'ms',
      rows: asked.map(({ peer, goal }, index) => rowOf(`${peer} (goal ${goal})`, times[index] ?? [])),
      ratio: round(worst),
      met: worst <= 1,
    };
  } finally {
    library.close();
    library.remove();
  }
}
