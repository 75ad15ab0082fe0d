import { fiscalYearOf } from '../../api/schemas/fields.ts';
import type { DemoReport } from '../catalog.ts';
import frameworkCodes from '../data/frameworks.json' with { type: 'json' };
import { type FeedEvent, type FeedPosition, feedPosition } from '../feed.ts';
import type { Holdings, ReportHit } from '../holdings.ts';
import { isEntitled, type License } from '../keys.ts';
import { HttpProblem, invalid, jsonBody, QueryReader, stringsOf } from '../requests.ts';
import { makeCursor, readCursor } from '../signer.ts';
import { type DemoApp, type DemoState, keyOf, type RequestContext } from '../state.ts';
import { wireLanguages } from '../wire.ts';

const maxPerPage = 200;
const maxKeys = 1_000;
const maxValues = 500;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]00:?00)$/;

/** The reports that a key may see: in lists, by id and by key, and what happens to them. */
export function addReports(api: DemoApp, state: DemoState): void {
  const { holdings, signer, wire } = state;

  // Entitled reports ordered by id, filtered and in pages (REP-1).
  api.get('/reports', async (c) => {
    const { license, label } = keyOf(c.env.context);
    const query = new QueryReader(c.req.url);
    const limit = query.limit(maxPerPage);
    const cursor = query.one('cursor');
    const filter = readFilter(query, holdings);
    query.done();

    const about = `reports ${label} ${filter.text}`;
    const after = cursor === undefined ? 0 : (readCursor(signer, about, cursor) as number);
    const page: DemoReport[] = [];
    for (const report of filter.candidates) {
      if (page.length > limit) break;
      if (report.report_id <= after || !isEntitled(license, report, holdings.companyOf(report))) continue;
      if (filter.admits(report)) page.push(report);
    }
    const has_more = page.length > limit;
    const shown = page.slice(0, limit);
    const next_cursor = has_more ? makeCursor(signer, about, shown.at(-1)?.report_id) : null;
    const data = await Promise.all(shown.map((report) => wire.object({ report })));
    return c.json({ data, page_info: { count: shown.length, has_more, next_cursor } });
  });

  // What was added, changed and withdrawn, ordered by time; always with a cursor (CHG-1).
  api.get('/reports/changes', async (c) => {
    const { license, label } = keyOf(c.env.context);
    const query = new QueryReader(c.req.url);
    const limit = query.limit(maxPerPage);
    const cursor = query.one('cursor');
    const since = query.one('since') ?? '';
    const about = `changes ${label}`;
    if (cursor === undefined && since === '') query.refuse('since', 'is needed where there is no cursor');
    // With a cursor, `since` is ignored.
    else if (cursor === undefined && (!timestamp.test(since) || Number.isNaN(Date.parse(since))))
      query.refuse('since', 'must be an ISO 8601 timestamp in UTC');
    query.done();

    // Before every event of this time or later: nothing of the same millisecond may be missed.
    const beginning: FeedPosition = [Date.parse(since) - 1, Number.MAX_SAFE_INTEGER];
    const place = cursor === undefined ? beginning : (readCursor(signer, about, cursor) as FeedPosition);
    const readable = state.feed.after(place);
    const visible = readable.filter((event) => concerns(holdings, license, event));
    const page = visible.slice(0, limit);
    const has_more = visible.length > limit;
    const last = has_more ? page.at(-1) : readable.at(-1);
    const next_cursor = makeCursor(signer, about, last ? feedPosition(last) : place);
    const data = await Promise.all(page.map((event) => itemOf(state, event)));
    return c.json({ data, page_info: { count: page.length, has_more, next_cursor } });
  });

  // One Report object; a retired id leads to the survivor (ONE-1, RID-1).
  api.get('/reports/:report_id', async (c) =>
    c.json(await wire.object(accessReport(state, c.env.context, c.req.param('report_id')))),
  );

  // Report keys to reports; a renamed key leads to the present report (LKP-1).
  api.post('/reports/lookup', async (c) => {
    const { license } = keyOf(c.env.context);
    const body = await jsonBody(c.env.incoming);
    const field = 'report_keys';
    const keys = stringsOf(body, field) ?? stringsOf(body, 'keys') ?? [];
    if (keys.length === 0) throw invalid({ field, message: 'at least one key is needed' });
    if (keys.length > maxKeys)
      throw invalid({ field, message: `${keys.length} were sent; ${maxKeys} are allowed in one call` });
    const results = keys.map((asked) => {
      const report = holdings.findByKey(asked);
      const found = report !== undefined && isEntitled(license, report, holdings.companyOf(report));
      return {
        report_key: asked,
        found,
        report_id: found ? report.report_id : null,
        canonical_report_key: found && report.report_key !== asked ? report.report_key : null,
      };
    });
    const matched_count = results.filter(({ found }) => found).length;
    return c.json({ results, matched_count, unmatched_count: results.length - matched_count });
  });
}

/** Filters of `GET /reports`, ready to be asked about a report. */
interface ReportMatcher {
  /** Canonical text of the filters: the same filters give the same text. */
  readonly text: string;
  readonly candidates: readonly DemoReport[];
  admits(report: DemoReport): boolean;
}

/** Reads the filters of a request (REP-1): different ones AND, repeated ones OR, frameworks all. */
function readFilter(query: QueryReader, holdings: Holdings): ReportMatcher {
  const companyKey = query.one('company_key');
  const isin = query.one('isin');
  const language = query.one('language')?.toLowerCase();
  const lists = ['type', 'fcyear', 'framework'].map((name) => query.many(name).toSorted());
  const [types = [], years = [], frameworks = []] = lists;
  const singles = [companyKey, isin, language].filter((value) => value !== undefined);
  const count = singles.length + lists.flat().length;
  if (count > maxValues) query.refuse('filters', `hold ${count} values; ${maxValues} are allowed`);

  if (language !== undefined && !/^[a-z]{2}$/.test(language)) query.refuse('language', 'must be an ISO 639-1 code');
  for (const year of years) if (!/^\d{4}$/.test(year)) query.refuse('fcyear', `"${year.slice(0, 40)}" is not a year`);
  const fields = frameworks.flatMap((code) => {
    const framework = frameworkCodes.find((each) => each.code === code.toLowerCase());
    if (!framework) query.refuse('framework', `"${code.slice(0, 40)}" is not a framework code`);
    return framework?.field ?? [];
  });

  const company = companyKey === undefined ? undefined : holdings.company(companyKey);
  const [wantedTypes, wantedYears] = [new Set(types), new Set(years.map(Number))];
  return {
    text: JSON.stringify([companyKey ?? null, isin ?? null, language ?? null, ...lists]),
    candidates: companyKey === undefined ? holdings.reports : company ? holdings.reportsOf(company) : [],
    admits(report) {
      if (wantedTypes.size > 0 && !wantedTypes.has(report.report_type)) return false;
      // Undated documents are filed under no year, not even when asked for year 0 (FY-2).
      if (wantedYears.size > 0 && !wantedYears.has(fiscalYearOf(report) ?? Number.NaN)) return false;
      if (fields.some((field) => report.fields[field] !== true)) return false;
      if (language !== undefined && !wireLanguages(report).some((code) => code.toLowerCase() === language))
        return false;
      if (isin === undefined) return true;
      const owner = holdings.companyOf(report);
      return owner !== undefined && !owner.isinWithheld && owner.isin === isin;
    },
  };
}

/** Whether a license receives an event: not if it no longer covers the report (CHG, rule 7). */
function concerns(holdings: Holdings, license: License, { change, report, shown, ...event }: FeedEvent): boolean {
  if (event.license !== null && event.license !== license) return false;
  if (change === 'upsert' && !holdings.isPresent(report)) return false;
  return [report, shown].every((each) => isEntitled(license, each, holdings.companyOf(each)));
}

async function itemOf({ wire }: DemoState, { change, shown, at }: FeedEvent): Promise<Record<string, unknown>> {
  const gone = change === 'withdrawn';
  return {
    change,
    report_id: shown.report_id,
    report_key: shown.report_key,
    company_key: shown.company_key,
    changed_at: new Date(at).toISOString(),
    content_sha256: gone ? null : await wire.sha256(shown),
    report: gone ? null : await wire.object({ report: shown }),
  };
}

/** The report that an id in a path means. Throws 422 for what is no id, 404 if missing, 403 outside the license. */
export function accessReport({ holdings }: DemoState, context: RequestContext, text: string): ReportHit {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id < 1 || !Number.isSafeInteger(id))
    throw invalid({ field: 'report_id', message: 'must be a positive whole number' });
  const found = holdings.find(id);
  if (!found) throw new HttpProblem(404, `There is no report ${id}.`);
  if (!isEntitled(keyOf(context).license, found.report, holdings.companyOf(found.report)))
    throw new HttpProblem(403, `Report ${id} is not in the license of this key.`);
  return found;
}
