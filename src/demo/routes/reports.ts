import { fiscalYearOf } from '../../api/schemas/fields.ts';
import type { DemoReport } from '../catalogue.ts';
import frameworkCodes from '../data/frameworks.json' with { type: 'json' };
import { firstAfter, type Holdings, type ReportHit } from '../holdings.ts';
import { isEntitled } from '../keys.ts';
import { HttpProblem, invalid } from '../problem.ts';
import { jsonBody, QueryReader, stringsOf } from '../requests.ts';
import { makeCursor, readCursor } from '../signer.ts';
import { type DemoApp, type DemoState, keyOf, type RequestContext } from '../state.ts';
import { wireLanguages } from '../wire.ts';

const maxPerPage = 200;
const maxKeys = 1_000;
const maxValues = 500;

/** `GET /reports`: entitled reports ordered by id, filtered and in pages (REP-1). */
export function addReports(api: DemoApp, state: DemoState): void {
  const { holdings, signer, wire } = state;
  api.get('/reports', async (c) => {
    const { licence, label } = keyOf(c.env.context);
    const query = new QueryReader(c.req.url);
    const limit = query.limit(maxPerPage);
    const cursor = query.one('cursor');
    const filter = readFilter(query, holdings);
    query.done();

    const about = `reports ${label} ${filter.text}`;
    const after = cursor === undefined ? 0 : (readCursor(signer, about, cursor) as number);
    const page: DemoReport[] = [];
    let next_cursor: string | null = null;
    for (let index = firstAfter(filter.candidates, after); next_cursor === null; index++) {
      const report = filter.candidates[index];
      if (!report) break;
      if (!filter.admits(report) || !isEntitled(licence, report, holdings.companyOf(report))) continue;
      if (page.length < limit) page.push(report);
      else next_cursor = makeCursor(signer, about, page.at(-1)?.report_id);
    }
    const data = await Promise.all(page.map((report) => wire.object({ report })));
    return c.json({ data, page_info: { count: page.length, has_more: next_cursor !== null, next_cursor } });
  });
}

/** Filters of `GET /reports`, ready to be asked about a report. */
interface ReportMatcher {
  /** Canonical text of the filters: the same filters give the same text. */
  readonly text: string;
  /** The reports worth looking at, ordered by id. */
  readonly candidates: readonly DemoReport[];
  admits(report: DemoReport): boolean;
}

/** Reads the filters of a request (REP-1): different ones AND, repeated ones OR, frameworks all. */
function readFilter(query: QueryReader, holdings: Holdings): ReportMatcher {
  const companyKey = query.one('company_key');
  const isin = query.one('isin');
  const language = query.one('language')?.toLowerCase();
  const types = query.many('type');
  const years = query.many('fcyear');
  const frameworks = query.many('framework');
  const values = [companyKey, isin, language, ...types, ...years, ...frameworks].filter((value) => value !== undefined);
  if (values.length > maxValues) query.refuse('filters', `hold ${values.length} values; ${maxValues} are allowed`);

  if (language !== undefined && !/^[a-z]{2}$/.test(language)) query.refuse('language', 'must be an ISO 639-1 code');
  for (const year of years) if (!/^\d{4}$/.test(year)) query.refuse('fcyear', `"${year.slice(0, 40)}" is not a year`);
  const fields: string[] = [];
  for (const code of frameworks) {
    const framework = frameworkCodes.find((each) => each.code === code.toLowerCase());
    if (framework) fields.push(framework.field);
    else query.refuse('framework', `"${code.slice(0, 40)}" is not a framework code`);
  }

  const company = companyKey === undefined ? undefined : holdings.company(companyKey);
  const wantedTypes = new Set(types);
  const wantedYears = new Set(years.map(Number));
  const lists = [types, years, frameworks].map((list) => list.toSorted());
  return {
    text: JSON.stringify([companyKey ?? null, isin ?? null, language ?? null, ...lists]),
    candidates: companyKey === undefined ? holdings.reports : company ? holdings.reportsOf(company) : [],
    admits(report) {
      if (wantedTypes.size > 0 && !wantedTypes.has(report.report_type)) return false;
      if (wantedYears.size > 0 && !filedUnder(report, wantedYears)) return false;
      if (fields.some((field) => report.fields[field] !== true)) return false;
      if (language !== undefined && !wireLanguages(report).some((code) => code.toLowerCase() === language))
        return false;
      if (isin === undefined) return true;
      const owner = holdings.companyOf(report);
      return owner !== undefined && !owner.isinWithheld && owner.isin === isin;
    },
  };
}

/** Undated documents are filed under no year, not even when asked for year 0 (FY-2). */
function filedUnder(report: DemoReport, years: ReadonlySet<number>): boolean {
  const year = fiscalYearOf(report);
  return year !== null && years.has(year);
}

/** `GET /reports/{report_id}`: one Report object; a retired id leads to the survivor (ONE-1, RID-1). */
export function addReport(api: DemoApp, state: DemoState): void {
  api.get('/reports/:report_id', async (c) =>
    c.json(await state.wire.object(accessReport(state, c.env.context, c.req.param('report_id')))),
  );
}

/**
 * The report that an id in a path means, if the key may see it. Throws 422 for what is no id, 404 when there is no
 * such report, and 403 for one outside the licence.
 */
export function accessReport(state: DemoState, context: RequestContext, text: string): ReportHit {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id < 1 || !Number.isSafeInteger(id))
    throw invalid({ field: 'report_id', message: 'must be a positive whole number' });
  const found = state.holdings.find(id);
  if (!found) throw new HttpProblem(404, `There is no report ${id}.`);
  if (!isEntitled(keyOf(context).licence, found.report, state.holdings.companyOf(found.report)))
    throw new HttpProblem(403, `Report ${id} is not in the licence of this key.`);
  return found;
}

/** `POST /reports/lookup`: report keys to reports; a renamed key leads to the present report (LKP-1). */
export function addLookup(api: DemoApp, { holdings }: DemoState): void {
  api.post('/reports/lookup', async (c) => {
    const { licence } = keyOf(c.env.context);
    const body = await jsonBody(c.env.incoming);
    const member = 'report_keys';
    const keys = stringsOf(body, member) ?? stringsOf(body, 'keys');
    if (!keys || keys.length === 0) throw invalid({ field: member, message: 'at least one key is needed' });
    if (keys.length > maxKeys)
      throw invalid({ field: member, message: `${keys.length} were sent; ${maxKeys} are allowed in one call` });
    const results = keys.map((asked) => {
      const report = holdings.findByKey(asked);
      const found = report !== undefined && isEntitled(licence, report, holdings.companyOf(report));
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
