import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { root } from '../scripts/places.ts';
import { packageVsix } from '../scripts/vsix.ts';
import type { LibraryMethods } from '../src/library/library.ts';
import type { ReportQuery } from '../src/library/reportQuery.ts';
import { match } from '../src/text/match.ts';
import { type PageStore, prepare } from '../src/text/pages.ts';
import { openPages } from '../src/text/pagesFile.ts';
import { type CalledReport, rankPages } from '../src/text/rank.ts';
import { writePointer } from '../src/tools/pointer.ts';
import { ToolSources } from '../src/tools/sources.ts';
import { answerTool } from '../src/tools/tools.ts';
import { filledLibrary } from './libraryBench.ts';
import { type BenchmarkResult, middle, percentile, round, rowOf, sizeOf } from './libraryBenchmark.ts';
import { changedPages, wordOfRank } from './textPages.ts';

const turns = sizeOf('TOOLS_TURNS', 60);
const starts = 15;

/** The tools of assistants: how soon the MCP server answers, what it takes, and what a call adds to its question. */
export async function run(): Promise<BenchmarkResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'report-library-tools-'));
  const library = filledLibrary(sizeOf('TOOLS_REPORTS', 50_000));
  const pointer = join(folder, 'pointer.json');
  const text = join(folder, 'pages.sqlite');
  writePointer(pointer, { version: 1, library: library.path, text, folders: [] });
  const pages = openPages({ path: text, sqlite, now: Date.now });
  try {
    const reports = await fill(pages, library.methods);
    return [
      ...(await server(pointer)),
      await calls(pointer, library.methods),
      await pageCalls(pointer, pages, reports),
    ];
  } finally {
    pages.close();
    library.close();
    library.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};
const call = {
  ...{ jsonrpc: '2.0', id: 2, method: 'tools/call' },
  params: { name: 'reportlibrary_find_reports', arguments: { text: 'sust' } },
};

/** From the start of the process to its first answer, beside an empty script; and its memory after a call. */
async function server(pointer: string): Promise<BenchmarkResult[]> {
  await packageVsix();
  const [ready, empty, peaks]: [number[], number[], number[]] = [[], [], []];
  for (let turn = -2; turn < starts; turn++) {
    const begun = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    const bare = performance.now() - begun;
    const { milliseconds, megabytes } = await start(pointer);
    if (turn < 0) continue;
    empty.push(bare);
    ready.push(milliseconds);
    peaks.push(megabytes);
  }
  const ratio = middle(ready) / middle(empty);
  const most = Math.max(...peaks);
  return [
    {
      name: 'the MCP server, from its start to its first answer',
      ...{ goal: '<= 5x an empty node -e 0', unit: 'ms' },
      rows: [rowOf('MCP server ready', ready), rowOf('node -e 0, whole', empty)],
      ...{ ratio: round(ratio), met: ratio <= 5 },
    },
    {
      name: 'the MCP server, largest memory, with a call',
      ...{ goal: '<= 120 MB', unit: 'MB' },
      rows: [rowOf('MCP server', peaks)],
      ...{ ratio: round(most / 120), met: peaks.every((peak) => peak <= 120) },
    },
  ];
}

async function start(pointer: string): Promise<{ readonly milliseconds: number; readonly megabytes: number }> {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(root, 'dist', 'tools', 'mcp.js'), pointer, '1'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  await once(child.stdout, 'data');
  const milliseconds = performance.now() - begun;
  child.stdin.write(`${JSON.stringify(call)}\n`);
  await once(child.stdout, 'data');
  const peak = process.platform === 'linux' ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : '';
  child.stdin.end();
  await once(child, 'exit');
  return { milliseconds, megabytes: Number(/VmHWM:\s*(\d+)/.exec(peak)?.[1] ?? 0) / 1000 };
}

interface Asked {
  readonly name: string;
  readonly input: Record<string, unknown>;
  ask(library: LibraryMethods): unknown;
}

const words = ['sust', 'annual rep', 'energy 2023', 'climate discl mining', 'xpar', 'de rep 2021'];

function reportsAsked(input: Record<string, unknown>, query: ReportQuery): Asked {
  const ask = (library: LibraryMethods) => [library.countReports(query), library.reports(query, { limit: 10 })];
  return { name: 'find_reports', input, ask };
}

function questions(companies: readonly string[], ids: readonly number[], turn: number): Asked[] {
  const text = words[turn % words.length] ?? '';
  const key = companies[(turn * 31) % companies.length] ?? '';
  const [fcyear, type] = [2018 + (turn % 8), turn % 2 ? 'SR' : 'IR'];
  const state = 'listed';
  const report = ids[turn % ids.length] ?? 0;
  return [
    reportsAsked({ text }, { text, state }),
    reportsAsked({ company_key: [key] }, { company_key: [key], state }),
    reportsAsked({ fiscal_year: [fcyear], type: [type] }, { fcyear: [fcyear], type: [type], state }),
    { name: 'find_companies', input: { queries: [text] }, ask: (library) => library.findCompanies(text, 50) },
    { name: 'read_report', input: { report }, ask: (library) => library.report(report) },
  ];
}

/** Calls as a door answers them, beside the same questions asked of a store that is open. */
async function calls(pointer: string, library: LibraryMethods): Promise<BenchmarkResult> {
  const sources = new ToolSources(pointer);
  const companies = library.companies({}, { limit: 500 }).items.map(({ company_key }) => company_key);
  const ids = library.reports({}, { limit: 200 }).items.map(({ report_id }) => report_id);
  const { signal } = new AbortController();
  const times: [number[], number[]] = [[], []];
  for (let turn = -5; turn < turns; turn++) {
    for (const { name, input, ask } of questions(companies, ids, turn + 5)) {
      const begun = performance.now();
      ask(library);
      const asked = performance.now();
      const { isError, text } = await answerTool(`reportlibrary_${name}`, input, sources, signal);
      const answered = performance.now();
      if (isError) throw new Error(text);
      if (turn < 0) continue;
      times[0].push(asked - begun);
      times[1].push(answered - asked);
    }
  }
  sources.close();
  const [store, tool] = times.map((list) => percentile(list, 0.95));
  const ratio = (tool ?? 0) / (store ?? 1);
  return {
    name: 'calls of tools, beside the same questions in the store',
    ...{ goal: 'p95 <= 3x the same question in the store', unit: 'ms' },
    rows: [rowOf('tool', times[1]), rowOf('store', times[0])],
    ...{ ratio: round(ratio), met: ratio <= 3 },
  };
}

const pagesOfReport = 130;

/** Pages of reports that the library publishes, and what those reports are called. */
async function fill(store: PageStore, library: LibraryMethods): Promise<(CalledReport & { readonly key: string })[]> {
  const count = Math.ceil(sizeOf('TOOLS_PAGES', 10_000) / pagesOfReport);
  const found: (CalledReport & { readonly key: string })[] = [];
  for (let after: string | undefined; found.length < count; ) {
    const { items, next } = library.reports({}, { limit: 500, after });
    for (const { sha256, company_name, fiscal_year, report_key } of items) {
      if (sha256 === null || found.length === count) continue;
      const years = fiscal_year === null ? [] : [fiscal_year];
      found.push({ sha256, company: company_name ?? '', years, key: report_key });
    }
    if (next === null) break;
    after = next;
  }
  for (const [at, { sha256 }] of found.entries()) {
    const pages = changedPages(at, 40, pagesOfReport).map((text) => ({ label: null, text }));
    const read = { kind: 'read', sha256, bytes: 1, pages, damaged: [], left: 0 } as const;
    const prepared = await prepare(read, () => undefined);
    store.db.transaction(() => store.keep(prepared, 15_000 + at));
  }
  return found;
}

/** Calls that answer from pages, beside the same questions to the store of pages. */
async function pageCalls(
  pointer: string,
  store: PageStore,
  reports: readonly (CalledReport & { readonly key: string })[],
): Promise<BenchmarkResult> {
  const sources = new ToolSources(pointer);
  const { signal } = new AbortController();
  const pdfs = store.pdfs();
  const times: [number[], number[]] = [[], []];
  const compare = async (isTold: boolean, name: string, input: object, ask: () => unknown) => {
    const begun = performance.now();
    await ask();
    const asked = performance.now();
    const { isError, text } = await answerTool(`reportlibrary_${name}`, input, sources, signal);
    const answered = performance.now();
    if (isError) throw new Error(text);
    if (!isTold) return;
    times[0].push(asked - begun);
    times[1].push(answered - asked);
  };
  for (let turn = -5; turn < turns; turn++) {
    const at = (turn + 5) % reports.length;
    const { key, company = '', sha256 } = reports[at] ?? {};
    const pdf = pdfs.filter((each) => each.sha256 === sha256);
    const [own] = pdf;
    if (key === undefined || !own) throw new Error('There are no pages.');
    const query = `How much ${wordOfRank(300 + turn * 7)} and energy did ${company} report?`;
    await compare(turn >= 0, 'search_pages', { query }, () => rankPages(store, query, { pdfs, reports, limit: 6 }));
    await compare(turn >= 0, 'search_pages', { query, report: key }, () =>
      rankPages(store, query, { pdfs: pdf, reports: reports.slice(at, at + 1), limit: 6 }),
    );
    const page = 1 + (at % pagesOfReport);
    await compare(turn >= 0, 'read_pages', { report: key, from: page }, () => store.page(own, page));
    const quote = store.page(own, page)?.text.slice(200, 320).trim() ?? '';
    await compare(turn >= 0, 'verify_quote', { report: key, page, quote }, () =>
      match(store.page(own, page)?.text ?? '', quote),
    );
  }
  sources.close();
  const [stored, tool] = times.map((list) => percentile(list, 0.95));
  const ratio = (tool ?? 0) / (stored ?? 1);
  return {
    name: `calls that answer from ${pdfs.length * pagesOfReport} pages, beside the same questions in the store`,
    ...{ goal: 'p95 <= 3x the same question in the store', unit: 'ms' },
    rows: [rowOf('tool', times[1]), rowOf('store', times[0])],
    ...{ ratio: round(ratio), met: ratio <= 3 },
  };
}
