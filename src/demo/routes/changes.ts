import { type FeedEvent, type FeedPosition, feedPosition } from '../feed.ts';
import { isEntitled, type Licence } from '../keys.ts';
import { QueryReader } from '../requests.ts';
import { makeCursor, readCursor } from '../signer.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';

const maxPerPage = 200;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]00:?00)$/;

/** `GET /reports/changes`: what was added, changed and withdrawn, ordered by time; always with a cursor (CHG-1). */
export function addChanges(api: DemoApp, state: DemoState): void {
  api.get('/reports/changes', async (c) => {
    const { licence, label } = keyOf(c.env.context);
    const query = new QueryReader(c.req.url);
    const limit = query.limit(maxPerPage);
    const cursor = query.one('cursor');
    const since = query.one('since');
    const about = `changes ${label}`;
    if (cursor === undefined && since === undefined) query.refuse('since', 'is needed where there is no cursor');
    // Beside a cursor, since is not even looked at.
    if (cursor === undefined && since !== undefined && !isTimestamp(since))
      query.refuse('since', 'must be an ISO 8601 timestamp in UTC');
    query.done();

    let place: FeedPosition =
      cursor === undefined ? beginningOf(since ?? '') : (readCursor(state.signer, about, cursor) as FeedPosition);
    const page: FeedEvent[] = [];
    let has_more = false;
    for (const event of state.feed.after(place)) {
      const isShown = concerns(state, licence, event);
      has_more = isShown && page.length === limit;
      if (has_more) break;
      if (isShown) page.push(event);
      place = feedPosition(event);
    }
    const data = await Promise.all(page.map((event) => itemOf(state, event)));
    return c.json({
      data,
      page_info: { count: page.length, has_more, next_cursor: makeCursor(state.signer, about, place) },
    });
  });
}

function isTimestamp(text: string): boolean {
  return timestamp.test(text) && !Number.isNaN(Date.parse(text));
}

/** The place before every event of this time or later: nothing of the same millisecond may be missed. */
function beginningOf(since: string): FeedPosition {
  return [Date.parse(since) - 1, Number.MAX_SAFE_INTEGER];
}

/** Whether a licence is told of an event. One that no longer holds the report hears nothing of it (CHG, rule 7). */
function concerns({ holdings }: DemoState, licence: Licence, event: FeedEvent): boolean {
  if (event.licence !== null && event.licence !== licence) return false;
  if (event.change === 'upsert' && !holdings.isPresent(event.report)) return false;
  return [event.report, event.shown].every((report) => isEntitled(licence, report, holdings.companyOf(report)));
}

async function itemOf({ wire }: DemoState, event: FeedEvent): Promise<Record<string, unknown>> {
  const gone = event.change === 'withdrawn';
  const { report_id, report_key, company_key } = gone ? event : event.shown;
  return {
    change: event.change,
    report_id,
    report_key,
    company_key,
    changed_at: new Date(event.at).toISOString(),
    content_sha256: gone ? null : await wire.sha256(event.shown),
    report: gone ? null : await wire.object({ report: event.shown }),
  };
}
