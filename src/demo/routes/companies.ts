import { createHash } from 'node:crypto';
import { type IdentifierList, identifierLists } from '../../api/schemas/company.ts';
import { columns, columnsSchemaVersion } from '../../api/schemas/fields.ts';
import { knownReportTypes, reportClasses } from '../../api/schemas/reportTypes.ts';
import { once } from '../../base/once.ts';
import type { DemoCompany } from '../catalog.ts';
import frameworks from '../data/frameworks.json' with { type: 'json' };
import { usageOf } from '../keys.ts';
import { createFieldGuide } from '../pdf/report.ts';
import { invalid, jsonBody, QueryReader, stringsOf } from '../requests.ts';
import { makeCursor, readCursor } from '../signer.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';
import { wireCompany } from '../wire.ts';

const maxPerPage = 500;
const maxIdentifiers = 1_000;

const valuesOf: Readonly<Record<string, readonly string[]>> = { type: knownReportTypes, class: [...reportClasses] };

/** The dictionary of the 50 metadata columns (COL-1). */
const dictionary = columns.map(({ number, name, apiField, type, group, meaning }) => {
  const values = type === 'boolean' ? ['TRUE', 'FALSE', ''] : valuesOf[name];
  const entry = { position: number, column: name, api_field: apiField, type, group, description: meaning };
  return { ...entry, ...(values && { values }) };
});

/** What a key may see and what it did, the companies, and what the fields and filters mean. */
export function addCompanies(api: DemoApp, { holdings, signer, clock }: DemoState): void {
  // The access window of the key (ENT-1).
  api.get('/entitlements', (c) => {
    const { license } = keyOf(c.env.context);
    return c.json({
      client_name: license.clientName,
      full_access: license.fullAccess,
      fcyear_start: license.fcyearStart,
      fcyear_end: license.fcyearEnd,
      report_types: license.types && [...license.types],
      watchlist_size: license.companies.size,
    });
  });
  // The key's requests and downloads this calendar month (LIM-2).
  api.get('/meta/usage', (c) => c.json(usageOf(keyOf(c.env.context), clock)));
  // The dictionary, the codes of the framework filter, and the dictionary as a document (META-1).
  api.get('/meta/schema', (c) => c.json({ schema_version: columnsSchemaVersion, fields: dictionary }));
  const list = frameworks.map(({ code, name }) => ({ code, name }));
  api.get('/meta/frameworks', (c) => c.json({ frameworks: list }));
  const guide = once(() => {
    const bytes = createFieldGuide(columns);
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
  });
  api.get('/meta/field-guide.pdf', (c) => {
    const { bytes, etag } = guide.get();
    if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } });
    const headers = {
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="field-guide.pdf"',
      etag,
    };
    return new Response(bytes, { headers });
  });

  // The licensed companies in the order of the catalog (WL-1).
  api.get('/watchlist', (c) => {
    const { license, label } = keyOf(c.env.context);
    const query = new QueryReader(c.req.url);
    const limit = query.limit(maxPerPage);
    const cursor = query.one('cursor');
    query.done();
    const about = `watchlist ${label}`;
    const start = cursor === undefined ? 0 : (readCursor(signer, about, cursor) as number);
    const licensed = holdings.companies.filter((company) => license.companies.has(company));
    const page = licensed.slice(start, start + limit);
    const has_more = start + limit < licensed.length;
    const next_cursor = has_more ? makeCursor(signer, about, start + limit) : null;
    return c.json({ data: page.map(wireCompany), page_info: { count: page.length, has_more, next_cursor } });
  });

  // One result per identifier, in the order of the request (RES-1, RES-2).
  api.post('/companies/resolve', async (c) => {
    const { license } = keyOf(c.env.context);
    const body = await jsonBody(c.env.incoming);
    const asked = Object.keys(body)
      .filter(isList)
      .map((list) => ({ list, values: stringsOf(body, list) ?? [] }));
    const count = asked.reduce((sum, { values }) => sum + values.length, 0);
    if (count === 0) throw invalid({ field: 'identifiers', message: 'at least one is needed' });
    if (count > maxIdentifiers)
      throw invalid({ field: 'identifiers', message: `${count} were sent; ${maxIdentifiers} are allowed in one call` });
    const finders = findersOf(holdings.companies);
    const results = asked.flatMap(({ list, values }) =>
      values.map((query) => {
        const result = { query, identifier_type: list.slice(0, -1) };
        const [company, ...others] = finders[list](query);
        if (!company) return { ...result, matched: false, entitled: null, company: null };
        if (others.length > 0) return { ...result, matched: false, entitled: null, ambiguous: true, company: null };
        const entitled = license.companies.has(company);
        return { ...result, matched: true, entitled, company: entitled ? wireCompany(company) : null };
      }),
    );
    const matched_count = results.filter(({ matched }) => matched).length;
    return c.json({ results, matched_count, unmatched_count: results.length - matched_count });
  });
}

function isList(name: string): name is IdentifierList {
  return (identifierLists as readonly string[]).includes(name);
}

/** The companies that an identifier means: none, one, or several when it is ambiguous. Exact, never guessed (RES-2). */
type Finders = Readonly<Record<IdentifierList, (value: string) => readonly DemoCompany[]>>;

/** How each list of the resolve request finds companies (RES-1). */
function findersOf(companies: readonly DemoCompany[]): Finders {
  const by = (valuesOf: (company: DemoCompany) => readonly (string | null)[]) => (value: string) =>
    value === '' ? [] : companies.filter((company) => valuesOf(company).includes(value));
  const bareTicker = by(({ ticker }) => [ticker]);
  const listing = by(({ mic, ticker }) => [ticker && `${mic}:${ticker}`]);
  return {
    // A withheld ISIN is not shown, but who knows it finds the company.
    isins: by(({ isin }) => [isin]),
    // A ticker alone is ambiguous across exchanges: it resolves nothing, even when one company bears it today.
    tickers: (value) => {
      const exact = listing(value);
      if (exact.length > 0 || value.includes(':')) return exact;
      const bearers = bareTicker(value);
      return bearers.length > 1 ? bearers : [];
    },
    symbols: by(({ ticker, company_key, formerKeys }) => [ticker, company_key, ...formerKeys]),
    leis: by(({ lei }) => [lei]),
    figis: by(({ figi }) => [figi]),
    ciks: by(({ cik }) => [cik]),
    names: by(({ company_name, aliases }) => [company_name, ...aliases]),
  };
}
