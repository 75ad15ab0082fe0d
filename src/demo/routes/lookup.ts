import { requireScope } from '../gates/authenticate.ts';
import { jsonBody, stringsOf } from '../jsonBody.ts';
import { isEntitled } from '../licence.ts';
import { invalid } from '../problem.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';

const mostKeys = 1_000;

/** `POST /reports/lookup`: report keys to reports; a renamed key leads to the present report (LKP-1). */
export function addLookup(api: DemoApp, { holdings, reading }: DemoState): void {
  api.post('/reports/lookup', requireScope('reports:read'), async (c) => {
    const { licence } = keyOf(c.env.exchange);
    const body = await jsonBody(c.env.incoming);
    const [member = 'report_keys'] = reading.lookupMembers;
    const keys = reading.lookupMembers.map((name) => stringsOf(body, name)).find((each) => each !== undefined);
    if (!keys || keys.length === 0) throw invalid({ field: member, message: 'at least one key is needed' });
    if (keys.length > mostKeys) {
      throw invalid({ field: member, message: `${keys.length} were sent; ${mostKeys} are allowed in one call` });
    }
    const outcomes = keys.map((asked) => {
      const report = holdings.findByKey(asked)?.report;
      const seen = report && isEntitled(licence, report, holdings.companyOf(report));
      return { asked, found: seen ? { report_id: report.report_id, report_key: report.report_key } : null };
    });
    return c.json(reading.lookup(outcomes) as object);
  });
}
