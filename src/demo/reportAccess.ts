import type { FoundReport } from './holdings.ts';
import { isEntitled } from './licence.ts';
import { invalid, Problem } from './problem.ts';
import type { DemoState, Exchange } from './state.ts';
import { keyOf } from './state.ts';

/**
 * The report that an id in a path means, if the key may see it. Throws 422 for what is no id, 404 when there is no
 * such report, and what the reading says for one outside the licence.
 */
export function accessReport(state: DemoState, exchange: Exchange, text: string): FoundReport {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id < 1 || !Number.isSafeInteger(id)) {
    throw invalid({ field: 'report_id', message: 'must be a positive whole number' });
  }
  const found = state.holdings.find(id);
  if (!found) throw new Problem(404, `There is no report ${id}.`);
  if (!isEntitled(keyOf(exchange).licence, found.report, state.holdings.companyOf(found.report))) {
    throw new Problem(state.reading.outsideStatus, `Report ${id} is not in the licence of this key.`);
  }
  return found;
}
