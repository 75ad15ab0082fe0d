import { fiscalYearOf } from '../api/schemas/fields.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Secret } from '../base/secret.ts';
import type { Catalogue, DemoReport } from './catalogue.ts';
import { issueFullKey } from './keys.ts';
import { latest, Mutations } from './mutations.ts';
import { seededRandom } from './random.ts';
import { createCatalogue } from './seed/catalogue.ts';
import { licensedCompanies } from './seed/companies.ts';
import { apiPrefix, listen, makeServer } from './server.ts';
import { type DemoHooks, type DemoState, makeState } from './state.ts';

/** How a demo service is to be. Everything has a default that suits a person trying the product. */
export interface DemoOptions {
  /** Serves this catalogue instead of the demo's own, and changes it. Every company is licensed but `unlicensed`. */
  readonly catalogue?: Catalogue | undefined;
  /** Keys of companies that are outside every licence. */
  readonly unlicensed?: readonly string[] | undefined;
  /** Any free port by default. */
  readonly port?: number | undefined;
  /** 600 by default (LIM-1). */
  readonly requestsPerMinute?: number | undefined;
  /** How long a change stays out of the feed, 900 by default (CHG-4). */
  readonly settlingSeconds?: number | undefined;
  readonly clock?: Clock | undefined;
  /** The catalogue changes by itself every so many seconds; never by default. */
  readonly liveSeconds?: number | undefined;
}

export interface DemoService {
  /** `http://127.0.0.1:PORT/api/v2`. */
  readonly baseUrl: string;
  /** A fresh key with the full demo licence. */
  readonly key: Secret;
  dispose(): Promise<void>;
}

/**
 * Starts a demo service on loopback. Several can run in one process; each has its own keys and catalogue. `hooks`
 * are for tests alone.
 * @throws Error with a sentence for a person when the port is taken.
 */
export async function startDemoService(
  options: DemoOptions = {},
  hooks?: (state: DemoState) => DemoHooks,
): Promise<DemoService> {
  const {
    catalogue = createCatalogue(),
    unlicensed = catalogue.companies.slice(licensedCompanies).map(({ company_key }) => company_key),
  } = options;
  const clock = options.clock ?? systemClock;
  const state = makeState(catalogue, clock, options.settlingSeconds ?? 900);
  const { holdings, keys } = state;
  const licensed = holdings.companies.filter(({ company_key }) => !unlicensed.includes(company_key));
  const key = issueFullKey(keys, holdings, licensed, options.requestsPerMinute ?? 600, clock);
  const ending = new AbortController();
  const server = makeServer(state, hooks?.(state));
  const port = await listen(server, options.port ?? 0);
  state.origin = `http://127.0.0.1:${port}`;
  if (options.liveSeconds) live(state, options.liveSeconds * 1000, ending.signal).catch(state.failed);
  return {
    baseUrl: state.origin + apiPrefix,
    key,
    dispose() {
      ending.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** What happens, in turn: more comes than goes. */
const kinds = ['add', 'metadata', 'pdf', 'add', 'withdraw', 'metadata', 'add', 'pdf'] as const;

/** Changes the catalogue every so many ms until the signal aborts; the first change comes sooner. */
async function live(state: DemoState, every: number, signal: AbortSignal): Promise<void> {
  const random = seededRandom(1);
  try {
    for (let turn = 0; ; turn++) {
      await state.clock.sleep(turn === 0 ? every / 12 : every, signal);
      changeOnce(kinds[turn % kinds.length] ?? 'add', state, random);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function changeOnce(kind: (typeof kinds)[number], state: DemoState, random: () => number): void {
  const { holdings } = state;
  const mutations = new Mutations(state);
  const among = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  if (kind === 'add') {
    // Only a company that has not reported on the present year yet brings something new.
    const present = new Date(state.clock.now()).getUTCFullYear();
    const behind = holdings.companies.filter((company) => {
      const last = latest(holdings.reportsOf(company));
      return !last || (fiscalYearOf(last) ?? 0) < present;
    });
    const company = among(behind.length > 0 ? behind : holdings.companies);
    if (company) mutations.add(company.company_key, { report_type: usualType(holdings.reportsOf(company)) });
    return;
  }
  const report = among(kind === 'pdf' ? holdings.reports.filter(({ has_file }) => has_file) : holdings.reports);
  if (!report) return;
  const { report_id, fields } = report;
  if (kind === 'pdf') mutations.replacePdf(report_id);
  else if (kind === 'withdraw') mutations.withdraw(report_id);
  else mutations.change(report_id, { fields: { has_materiality_matrix: fields.has_materiality_matrix !== true } });
}

/** The type a company publishes most. */
function usualType(reports: readonly DemoReport[]): string {
  const counts = Map.groupBy(reports, (report) => report.report_type);
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 'SR';
}
