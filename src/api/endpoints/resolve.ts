import { type IdentifierQuery, type ResolveResult, readResolveResults, resolveRequest } from '../schemas/resolve.ts';
import { inBatches } from '../transport/batches.ts';
import type { CallOptions, Service } from '../transport/call.ts';
import { checkInputs } from '../transport/inputs.ts';
import { readAnswer } from '../transport/json.ts';

/** The service takes at most this many identifiers in one call, across all lists. */
export const resolveLimit = 1000;

/**
 * `POST /companies/resolve` (RES-1, RES-2): one result per query, in order. More than 1,000 distinct queries go in
 * several calls. Throws `invalid` before any request for an identifier that is empty or holds control characters.
 */
export async function resolveIdentifiers(
  service: Service,
  queries: readonly IdentifierQuery[],
  options?: CallOptions,
): Promise<readonly ResolveResult[]> {
  checkInputs(
    queries.map((query) => query.value),
    'identifier',
  );
  return inBatches({
    items: queries,
    size: resolveLimit,
    identity: (query) => `${query.list}\n${query.value}`,
    async ask(batch) {
      const body = resolveRequest(batch);
      const answer = await service.ask({ method: 'POST', route: '/companies/resolve', body }, options);
      return readAnswer(answer, (raw) => readResolveResults(raw, batch));
    },
  });
}
