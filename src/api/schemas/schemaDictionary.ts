import { firstText, isObject, type JsonObject, own } from '../../base/json.ts';
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

const wrappers = [
  ...['fields', 'columns', 'metadata_fields', 'dictionary', 'schema', 'properties', 'groups'],
  ...['data', 'items', 'results', 'metadata'],
];
/** Where a group of fields has them. */
const groupNames = ['fields', 'columns', 'items'];
const versionNames = ['version', 'schema_version', 'dictionary_version'];
const columnNames = ['column', 'column_name', 'metadata_column', 'name', 'field', 'key'];
const apiFieldNames = ['api_field', 'api_name', 'x-api-field', 'source', 'field'];
const typeNames = ['type', 'data_type', 'dtype', 'format'];
const meaningNames = ['meaning', 'description', 'definition', 'label'];
const valueNames = ['values', 'enum', 'allowed_values', 'allowed'];

/**
 * Reads `GET /meta/schema`, whose shape is open (COL-1, META-1): fields in an array or in a map by column, wrapped
 * or not, in groups or not. What names no column is left to `raw`.
 */
export function readSchemaDictionary(raw: unknown): SchemaDictionary {
  const fields = new Map<string, DictionaryField>();
  for (const entry of entriesIn(raw, 3)) {
    const field = readField(entry);
    if (field && !fields.has(field.column)) fields.set(field.column, field);
  }
  const stated = findFacts(raw, { version: versionNames }, ['schema', 'data', 'dictionary', 'metadata']);
  return { version: firstText(stated, ['version']), fields: [...fields.values()], raw };
}

function entriesIn(raw: unknown, depth: number): readonly OpenEntry[] {
  return openEntries(raw, wrappers).flatMap((entry) => {
    const { value } = entry;
    const lists = isObject(value) ? groupNames.map((name) => own(value, name)) : [value];
    const isGroup = lists.some((list) => Array.isArray(list) && list.some(isObject));
    if (!isGroup) return [entry];
    return depth > 0 ? entriesIn(value, depth - 1) : [];
  });
}

function readField({ name, value }: OpenEntry): DictionaryField | null {
  const field = isObject(value) ? value : {};
  const column = name ?? (typeof value === 'string' ? value : firstText(field, columnNames));
  if (!column || versionNames.includes(column) || (typeof value !== 'string' && !isObject(value))) return null;
  return {
    column,
    apiField: firstText(field, apiFieldNames),
    type: firstText(field, typeNames),
    meaning: name !== null && typeof value === 'string' ? value : firstText(field, meaningNames),
    values: readValues(field),
  };
}

function readValues(field: JsonObject): readonly string[] | null {
  const list = valueNames.map((name) => own(field, name)).find((value) => Array.isArray(value));
  return list?.map((value) => firstText(value, ['value', 'code', 'name']) ?? String(value)) ?? null;
}
