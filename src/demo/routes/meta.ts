import { createHash } from 'node:crypto';
import { columns, columnsSchemaVersion } from '../../api/schemas/fields.ts';
import { knownReportTypes, reportClasses } from '../../api/schemas/reportTypes.ts';
import { once } from '../../base/once.ts';
import frameworks from '../data/frameworks.json' with { type: 'json' };
import { createFieldGuide } from '../pdf/report.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';

/** Release of the interface that the demo speaks. */
const release = '2.4.0';

/** `GET /health`: liveness, without a key (END-1). */
export function addHealth(api: DemoApp): void {
  api.get('/health', (c) => c.json({ status: 'ok', version: release }));
}

const valuesOf: Readonly<Record<string, readonly string[]>> = {
  type: knownReportTypes,
  class: [...reportClasses],
};

/** The dictionary of the 50 metadata columns (COL-1). */
const dictionary = columns.map(({ number, name, apiField, type, group, meaning }) => {
  const values = type === 'boolean' ? ['TRUE', 'FALSE', ''] : valuesOf[name];
  return {
    position: number,
    column: name,
    api_field: apiField,
    type,
    group,
    description: meaning,
    ...(values && { values }),
  };
});

/** What a key may see, what it did, and what the fields and filters mean. */
export function addMeta(api: DemoApp, { usage }: DemoState): void {
  // The access window of the key (ENT-1).
  api.get('/entitlements', (c) => {
    const { licence } = keyOf(c.env.context);
    return c.json({
      client_name: licence.clientName,
      full_access: licence.fullAccess,
      fcyear_start: licence.fcyearStart,
      fcyear_end: licence.fcyearEnd,
      report_types: licence.types && [...licence.types],
      watchlist_size: licence.companies.size,
    });
  });
  // The key's requests and downloads this calendar month (LIM-2).
  api.get('/meta/usage', (c) => {
    const { month, requests, downloads } = usage.of(keyOf(c.env.context).label);
    return c.json({ month, requests, downloads });
  });
  // The dictionary, the codes of the framework filter, and the dictionary as a document (META-1).
  api.get('/meta/schema', (c) => c.json({ schema_version: columnsSchemaVersion, fields: dictionary }));
  const list = frameworks.map(({ code, name }) => ({ code, name }));
  api.get('/meta/frameworks', (c) => c.json({ frameworks: list }));
  const guide = once(() => {
    const bytes = createFieldGuide(columns);
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
  });
  api.get('/meta/field-guide.pdf', (c) => {
    const { bytes, etag } = guide.get();
    if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } });
    const headers = {
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="field-guide.pdf"',
      etag,
    };
    return new Response(bytes, { headers });
  });
}
