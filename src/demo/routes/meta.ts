import { createHash } from 'node:crypto';
import { columns, columnsSchemaVersion } from '../../api/schemas/fields.ts';
import { knownReportTypes, reportClasses } from '../../api/schemas/reportTypes.ts';
import { once } from '../../base/once.ts';
import frameworks from '../data/frameworks.json' with { type: 'json' };
import { injectedFault, requireScope } from '../gates.ts';
import { createFieldGuide } from '../pdf/fieldGuide.ts';
import type { DictionaryEntry } from '../readings.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';

/** Release of the interface that the demo speaks. */
const release = '2.4.0';

/** `GET /health`: liveness, without a key (END-1). */
export function addHealth(api: DemoApp, { reading }: DemoState): void {
  api.get('/health', injectedFault(), (c) => c.json(reading.health(release) as object));
}

/** What a key may see, what it did, and the dictionary of the fields. */
export function addMeta(api: DemoApp, state: DemoState): void {
  for (const add of [addEntitlements, addUsage, addSchema, addFieldGuide, addFrameworks]) add(api, state);
}

/** `GET /entitlements`: what the key may see (ENT-1). */
function addEntitlements(api: DemoApp, _state: DemoState): void {
  api.get('/entitlements', (c) => {
    const { licence } = keyOf(c.env.exchange);
    return c.json({
      client_name: licence.clientName,
      full_access: licence.fullAccess,
      fcyear_start: licence.fcyearStart,
      fcyear_end: licence.fcyearEnd,
      report_types: licence.types && [...licence.types],
      watchlist_size: licence.companies.size,
    });
  });
}

/** `GET /meta/usage`: the key's requests and downloads this calendar month (LIM-2). */
function addUsage(api: DemoApp, { usage, reading }: DemoState): void {
  api.get('/meta/usage', requireScope('meta:read'), (c) => {
    const { month, requests, downloads } = usage.of(keyOf(c.env.exchange).label);
    return c.json(reading.usage(month, requests, downloads) as object);
  });
}

const valuesOf: Readonly<Record<string, readonly string[]>> = {
  type: knownReportTypes,
  class: [...reportClasses],
};

/** `GET /meta/schema`: the dictionary of the 50 metadata columns (COL-1, META-1). */
function addSchema(api: DemoApp, { reading }: DemoState): void {
  const entries: readonly DictionaryEntry[] = columns.map((column) => ({
    number: column.number,
    column: column.name,
    apiField: column.apiField,
    type: column.type,
    group: column.group,
    meaning: column.meaning,
    values: column.type === 'boolean' ? ['TRUE', 'FALSE', ''] : (valuesOf[column.name] ?? null),
  }));
  const body = reading.schema(columnsSchemaVersion, entries);
  api.get('/meta/schema', requireScope('meta:read'), (c) => c.json(body as object));
}

/** `GET /meta/field-guide.pdf`: the 50 columns as a document (META-1). */
function addFieldGuide(api: DemoApp, _state: DemoState): void {
  const guide = once(async () => {
    const bytes = createFieldGuide(columns);
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
  });
  api.get('/meta/field-guide.pdf', requireScope('meta:read'), async (context) => {
    const { bytes, etag } = await guide.get();
    if (context.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } });
    return new Response(bytes, {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': 'inline; filename="field-guide.pdf"',
        etag,
      },
    });
  });
}

/** The codes of the `framework` filter, and the three-valued field that each asks to be true. */
export const frameworkCodes: readonly { readonly code: string; readonly name: string; readonly field: string }[] =
  frameworks;

/** The framework with this code, in whatever case it was written. */
export function frameworkOf(code: string): (typeof frameworkCodes)[number] | undefined {
  const wanted = code.toLowerCase();
  return frameworkCodes.find((each) => each.code === wanted);
}

/** `GET /meta/frameworks`: the codes of the framework filter (META-1). */
function addFrameworks(api: DemoApp, { reading }: DemoState): void {
  const body = reading.frameworks(frameworkCodes) as object;
  api.get('/meta/frameworks', requireScope('meta:read'), (c) => c.json(body));
}
