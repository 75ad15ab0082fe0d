import { type Health, readHealth } from '../schemas/health.ts';
import type { CallOptions, Service } from '../transport/call.ts';
import { parseJson } from '../transport/json.ts';

/** `GET /health`: is the service there? Sent without the key (END-1). An answer that is no JSON counts as its status. */
export async function getHealth(service: Service, options?: CallOptions): Promise<Health> {
  const answer = await service.ask({ method: 'GET', route: '/health', key: false, accepts: 'any' }, options);
  if (!answer.isJson) return readHealth(new TextDecoder().decode(answer.body.subarray(0, 200)));
  return readHealth(parseJson(answer));
}
