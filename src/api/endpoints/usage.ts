import { readUsage, type Usage } from '../schemas/usage.ts';
import type { CallOptions, Service } from '../transport/call.ts';
import { parseJson } from '../transport/json.ts';

/** `GET /meta/usage`: requests and downloads this calendar month (LIM-2). */
export async function getUsage(service: Service, options?: CallOptions): Promise<Usage> {
  return readUsage(parseJson(await service.ask({ method: 'GET', route: '/meta/usage' }, options)));
}
