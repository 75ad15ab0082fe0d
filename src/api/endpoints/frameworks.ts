import { type Frameworks, readFrameworks } from '../schemas/frameworks.ts';
import type { CallOptions, Service } from '../transport/call.ts';
import { parseJson } from '../transport/json.ts';

/** `GET /meta/frameworks`: the codes of the framework filter (META-1). */
export async function getFrameworks(service: Service, options?: CallOptions): Promise<Frameworks> {
  return readFrameworks(parseJson(await service.ask({ method: 'GET', route: '/meta/frameworks' }, options)));
}
