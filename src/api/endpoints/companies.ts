import { cikKey } from '../../identifiers/codes.ts';
import {
  type Company,
  type IdentifierQuery,
  type ResolveResult,
  readResolveResults,
  readWatchlistItem,
  resolveRequest,
} from '../schemas/company.ts';
import type { CallOptions, ListOptions, Page } from '../schemas/page.ts';
import { pages, readAnswer, type Service } from '../transport/answers.ts';
import { checkInputs, inBatches } from '../transport/inputs.ts';

export const watchlistPageLimit = 500;
/** The service takes at most this many identifiers in one call, across all lists. */
export const resolveLimit = 1000;

const watchlist = { route: '/watchlist', query: {}, largest: watchlistPageLimit, read: readWatchlistItem };

/** A CIK with its leading zeros, or without where it has them: services keep either, and compare texts. */
function otherSpelling({ list, value }: IdentifierQuery): IdentifierQuery[] {
  const other = value.length < 10 ? cikKey(value) : value.replace(/^0+(?=.)/, '');
  return list === 'ciks' && other !== value ? [{ list, value: other }] : [];
}

export function companyEndpoints(service: Service) {
  return {
    /** `GET /watchlist`: the licensed companies, page by page (WL-1). */
    watchlist: (options: ListOptions = {}): AsyncIterable<Page<Company>> => pages(service, watchlist, options),
    /** `POST /companies/resolve` (RES-1, RES-2): a result per query, in order; over 1,000 go in several calls. */
    async resolve(queries: readonly IdentifierQuery[], options?: CallOptions): Promise<readonly ResolveResult[]> {
      checkInputs(queries.map((query) => query.value));
      const identity = ({ list, value }: IdentifierQuery) => `${list}\n${value}`;
      const ask = (some: readonly IdentifierQuery[]) =>
        inBatches(some, resolveLimit, identity, async (batch) => {
          const body = resolveRequest(batch);
          const answer = await service.ask({ method: 'POST', route: '/companies/resolve', body }, options);
          return readAnswer(answer, (raw) => readResolveResults(raw, batch));
        });
      const answers = [...(await ask(queries))];
      const open = queries.flatMap((query, index) => {
        const { matched, ambiguous } = answers[index] ?? {};
        return matched || ambiguous ? [] : otherSpelling(query).map((other) => ({ index, query, other }));
      });
      const others = open.length > 0 ? await ask(open.map(({ other }) => other)) : [];
      for (const [at, { index, query }] of open.entries()) {
        const found = others[at];
        if (found?.matched || found?.ambiguous) answers[index] = { ...found, query: query.value };
      }
      return answers;
    },
  };
}
