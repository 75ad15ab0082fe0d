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

/** The largest page of `GET /watchlist`. */
export const watchlistPageLimit = 500;
/** The service takes at most this many identifiers in one call, across all lists. */
export const resolveLimit = 1000;

const watchlist = { route: '/watchlist', query: {}, largest: watchlistPageLimit, read: readWatchlistItem };

/** A CIK with and without its leading zeros: services keep either, and compare texts. */
function spellingsOf(query: IdentifierQuery): IdentifierQuery[] {
  if (query.list !== 'ciks') return [query];
  const values = new Set([query.value, cikKey(query.value), query.value.replace(/^0+(?=.)/, '')]);
  return [...values].map((value) => ({ ...query, value }));
}

export function companyEndpoints(service: Service) {
  return {
    /** `GET /watchlist`: the licensed companies, page by page (WL-1). */
    watchlist: (options: ListOptions = {}): AsyncIterable<Page<Company>> => pages(service, watchlist, options),
    /**
     * `POST /companies/resolve` (RES-1, RES-2): one result per query, in order. More than 1,000 distinct queries go in
     * several calls. Throws `invalid` before any request for an identifier that is empty or holds control characters.
     */
    async resolve(queries: readonly IdentifierQuery[], options?: CallOptions): Promise<readonly ResolveResult[]> {
      checkInputs(queries.map((query) => query.value));
      const identity = ({ list, value }: IdentifierQuery) => `${list}\n${value}`;
      const asked = queries.map(spellingsOf);
      const answers = await inBatches(asked.flat(), resolveLimit, identity, async (batch) => {
        const body = resolveRequest(batch);
        const answer = await service.ask({ method: 'POST', route: '/companies/resolve', body }, options);
        return readAnswer(answer, (raw) => readResolveResults(raw, batch));
      });
      let from = 0;
      return asked.flatMap((spellings, index) => {
        const own = answers.slice(from, from + spellings.length);
        from += spellings.length;
        const best = own.find(({ matched, ambiguous }) => matched || ambiguous) ?? own[0];
        return best ? { ...best, query: queries[index]?.value ?? best.query } : [];
      });
    },
  };
}
