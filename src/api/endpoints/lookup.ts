import {
  type LookupField,
  type LookupResult,
  lookupFields,
  lookupRequest,
  readLookupResults,
} from '../schemas/lookup.ts';
import { inBatches } from '../transport/batches.ts';
import type { CallOptions, Service } from '../transport/call.ts';
import { ApiError } from '../transport/errors.ts';
import { checkInputs } from '../transport/inputs.ts';
import { readAnswer } from '../transport/json.ts';

/** The service takes at most this many report keys in one call. */
export const lookupLimit = 1000;

/**
 * `POST /reports/lookup` (LKP-1): one result per key, in order; a renamed key resolves to the current report. More
 * than 1,000 distinct keys go in several calls. Throws `invalid` before any request for a key that is empty or holds
 * control characters.
 */
export async function lookupReportKeys(
  service: Service,
  reportKeys: readonly string[],
  options?: CallOptions,
): Promise<readonly LookupResult[]> {
  checkInputs(reportKeys, 'report key');
  const others: LookupField[] = [...lookupFields];
  let field = others.shift() ?? lookupFields[0];
  const ask = async (batch: readonly string[]): Promise<readonly LookupResult[]> => {
    try {
      const body = lookupRequest(field, batch);
      const answer = await service.ask({ method: 'POST', route: '/reports/lookup', body }, options);
      return readAnswer(answer, (raw) => readLookupResults(raw, batch));
    } catch (error) {
      const next = isRefused(error) ? others.shift() : undefined;
      if (next === undefined) throw error;
      field = next;
      return ask(batch);
    }
  };
  return inBatches({ items: reportKeys, size: lookupLimit, identity: (key) => key, ask });
}

/** The service did not understand the body, so it may call the list something else. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.problem.kind === 'invalid';
}
