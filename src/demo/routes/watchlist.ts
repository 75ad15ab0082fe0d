import { requireScope } from '../gates/authenticate.ts';
import { makeCursor, Query, readCursor } from '../query.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';
import { wireCompany } from '../wire/company.ts';

const mostPerPage = 500;

/** `GET /watchlist`: the licensed companies in the order of the catalogue (WL-1). */
export function addWatchlist(api: DemoApp, { holdings, signer, reading }: DemoState): void {
  api.get('/watchlist', requireScope('companies:read'), (c) => {
    const { licence, label } = keyOf(c.env.exchange);
    const query = new Query(c.req.url);
    const limit = query.limit(mostPerPage);
    const cursor = query.one('cursor');
    query.done();
    const about = `watchlist ${label}`;
    const start = cursor === undefined ? 0 : (readCursor(signer, about, cursor) as number);
    const page = [];
    let index = start;
    for (; index < holdings.companies.length && page.length < limit; index++) {
      const company = holdings.companies[index];
      if (company && licence.companies.has(company)) page.push(reading.watchlistItem(wireCompany(company)));
    }
    const has_more = holdings.companies.slice(index).some((company) => licence.companies.has(company));
    const end = has_more ? { next_cursor: makeCursor(signer, about, index) } : reading.lastPage();
    return c.json({ data: page, page_info: { count: page.length, has_more, ...end } });
  });
}
