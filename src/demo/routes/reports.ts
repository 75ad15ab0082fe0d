import type { DemoReport } from '../catalogue.ts';
import { requireScope } from '../gates/authenticate.ts';
import { firstAfter } from '../holdings.ts';
import { isEntitled } from '../licence.ts';
import { pageBody } from '../pageBody.ts';
import { makeCursor, Query, readCursor } from '../query.ts';
import { readFilter } from '../reportFilter.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';

const mostPerPage = 200;

/** `GET /reports`: entitled reports ordered by id, filtered and in pages (REP-1). */
export function addReports(api: DemoApp, state: DemoState): void {
  const { holdings, signer, reading, wire } = state;
  api.get('/reports', requireScope('reports:read'), async (c) => {
    const { licence, label } = keyOf(c.env.exchange);
    const query = new Query(c.req.url);
    const limit = query.limit(mostPerPage);
    const cursor = query.one('cursor');
    const filter = readFilter(query, holdings);
    query.done();

    const about = `reports ${label} ${filter.text}`;
    const after = cursor === undefined ? 0 : (readCursor(signer, about, cursor) as number);
    const page: DemoReport[] = [];
    let has_more = false;
    for (let index = firstAfter(filter.candidates, after); index < filter.candidates.length; index++) {
      const report = filter.candidates[index] as DemoReport;
      if (!filter.admits(report) || !isEntitled(licence, report, holdings.companyOf(report))) continue;
      has_more = page.length === limit;
      if (has_more) break;
      page.push(report);
    }
    const last = page.at(-1)?.report_id ?? after;
    const end = has_more ? { next_cursor: makeCursor(signer, about, last) } : reading.lastPage();
    const items = await Promise.all(page.map((report) => wire.json(report)));
    c.env.exchange.body = pageBody(items, { count: page.length, has_more, ...end });
    return c.body(null, 200, { 'content-type': 'application/json' });
  });
}
