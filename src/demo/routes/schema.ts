import { columns, columnsSchemaVersion } from '../../api/schemas/fields.ts';
import { knownReportTypes, reportClasses } from '../../api/schemas/reportTypes.ts';
import { requireScope } from '../gates/authenticate.ts';
import type { DictionaryEntry } from '../readings/reading.ts';
import type { DemoApp, DemoState } from '../state.ts';

const valuesOf: Readonly<Record<string, readonly string[]>> = {
  type: knownReportTypes,
  class: [...reportClasses],
};

/** `GET /meta/schema`: the dictionary of the 50 metadata columns (COL-1, META-1). */
export function addSchema(api: DemoApp, { reading }: DemoState): void {
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
