import { firstText, isObject, own } from '../../base/json.ts';
import { findFacts, type OpenEntry, openEntries } from './open.ts';

/** One field of the dictionary as the service describes it (COL-1, META-1). */
export interface DictionaryField {
  readonly column: string;
  readonly apiField: string | null;
  readonly type: string | null;
  readonly meaning: string | null;
  /** The values that may occur, where the service lists them. */
  readonly values: readonly string[] | null;
}

/** The dictionary behind `GET /meta/schema`. */
export interface SchemaDictionary {
  readonly version: string | null;
  readonly fields: readonly DictionaryField[];
  readonly raw: unknown;
}

const versionNames = ['version', 'schema_version'];
const columnNames = ['column', 'name', 'field', 'key'];

/**
 * Reads `GET /meta/schema`, whose shape is open (COL-1, META-1): fields in an array or in a map by column, wrapped
 * or not. What names no column is left to `raw`.
 */
export function readSchemaDictionary(raw: unknown): SchemaDictionary {
  const fields = new Map<string, DictionaryField>();
  for (const entry of openEntries(raw, ['fields', 'columns', 'schema', 'data', 'items'])) {
    const field = readField(entry);
    if (field && !fields.has(field.column)) fields.set(field.column, field);
  }
  const stated = findFacts(raw, { version: versionNames }, ['schema', 'data']);
  return { version: firstText(stated, ['version']), fields: [...fields.values()], raw };
}

function readField({ name, value }: OpenEntry): DictionaryField | null {
  const column = name ?? firstText(value, columnNames);
  if (!column || !isObject(value)) return null;
  const values = own(value, 'values') ?? own(value, 'enum');
  return {
    column,
    apiField: firstText(value, ['api_field', 'api_name']),
    type: firstText(value, ['type', 'data_type']),
    meaning: firstText(value, ['meaning', 'description', 'definition', 'label']),
    values: Array.isArray(values) ? values.map(String) : null,
  };
}
