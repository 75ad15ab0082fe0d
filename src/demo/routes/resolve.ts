import { type IdentifierList, identifierLists } from '../../api/schemas/resolve.ts';
import { requireScope } from '../gates/authenticate.ts';
import { indexIdentifiers } from '../identifierIndex.ts';
import { jsonBody, stringsOf } from '../jsonBody.ts';
import { invalid } from '../problem.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';
import { wireCompany } from '../wire/company.ts';

const mostIdentifiers = 1_000;

/** `POST /companies/resolve`: one result per identifier, in the order of the request (RES-1, RES-2). */
export function addResolve(api: DemoApp, { holdings, reading }: DemoState): void {
  api.post('/companies/resolve', requireScope('companies:read'), async (c) => {
    const { licence } = keyOf(c.env.exchange);
    const body = await jsonBody(c.env.incoming);
    const asked = Object.keys(body)
      .filter(isList)
      .map((list) => ({ list, values: stringsOf(body, list) ?? [] }));
    const count = asked.reduce((sum, { values }) => sum + values.length, 0);
    if (count === 0) throw invalid({ field: 'identifiers', message: 'at least one is needed' });
    if (count > mostIdentifiers) {
      throw invalid({
        field: 'identifiers',
        message: `${count} were sent; ${mostIdentifiers} are allowed in one call`,
      });
    }
    const index = indexIdentifiers(holdings.companies);
    const results = asked.flatMap(({ list, values }) =>
      values.map((query) => {
        const result = { query, identifier_type: reading.identifierType(list) };
        const [company, ...others] = index[list](query);
        if (!company) return { ...result, matched: false, entitled: null, company: null };
        if (others.length > 0) return { ...result, matched: false, entitled: null, ambiguous: true, company: null };
        const entitled = licence.companies.has(company);
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
