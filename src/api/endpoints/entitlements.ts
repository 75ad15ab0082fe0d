import { type Entitlements, readEntitlements } from '../schemas/entitlements.ts';
import { objectItem } from '../schemas/page.ts';
import type { CallOptions, Service } from '../transport/call.ts';
import { readAnswer } from '../transport/json.ts';

/** `GET /entitlements`: the key's access window (ENT-1). */
export async function getEntitlements(service: Service, options?: CallOptions): Promise<Entitlements> {
  const answer = await service.ask({ method: 'GET', route: '/entitlements' }, options);
  return readAnswer(answer, objectItem(readEntitlements));
}
