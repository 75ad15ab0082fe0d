import { readSchemaDictionary, type SchemaDictionary } from '../schemas/schemaDictionary.ts';
import type { CallOptions, Service } from '../transport/call.ts';
import { parseJson } from '../transport/json.ts';

/** `GET /meta/schema`: the 50-field dictionary (COL-1, META-1). */
export async function getSchema(service: Service, options?: CallOptions): Promise<SchemaDictionary> {
  return readSchemaDictionary(parseJson(await service.ask({ method: 'GET', route: '/meta/schema' }, options)));
}
