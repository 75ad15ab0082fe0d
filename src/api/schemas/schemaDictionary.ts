import { firstText, isObject, type JsonObject, own } from '../../base/json.ts';
import { openEntries } from './record.ts';

/** One field of the dictionary as the service describes it (COL-1, META-1). */
export interface DictionaryField {
  readonly column: string;
  readonly apiField: string | null;
  readonly type: string | null;
  readonly group: string | null;
  readonly meaning: string | null;
  /** The values that may occur, where the service lists them. */
  readonly values: readonly string[] | null;
  readonly raw: unknown;
}

/** The dictionary behind `GET /meta/schema`. */
export interface SchemaDictionary {
  readonly version: string | null;
  readonly fields: readonly DictionaryField[];
  readonly raw: unknown;
}

const wrappers = [
  ...['fields', 'columns', 'metadata_fields', 'metadata_columns', 'dictionary', 'schema', 'metadata', 'properties'],
  ...['data', 'items'],
];
const groupWrappers = ['groups', 'field_groups', 'sections', 'categories'];
const versionNames = ['version', 'schema_version', 'schemaVersion', 'dictionary_version'];
const columnNames = [
  ...['column', 'column_name', 'metadata_column', 'metadata_field', 'metadata_name', 'name', 'field', 'key', 'id'],
];
const apiFieldNames = [
  ...['api_field', 'apiField', 'api_field_name', 'api_name', 'api', 'typed_field', 'x-api-field', 'source', 'field'],
];
const typeNames = ['type', 'data_type', 'datatype', 'dtype', 'format'];
const groupNames = ['group', 'group_name', 'section', 'category'];
const meaningNames = ['meaning', 'description', 'definition', 'doc', 'label'];
const valueNames = ['values', 'enum', 'allowed_values', 'allowed', 'options'];
/** Fields, groups of fields, and a wrapper or two around them. */
const deepest = 4;

/**
 * Reads `GET /meta/schema`, whose shape is open (COL-1, META-1): fields in an array or in a map by column, wrapped
 * or not, in groups or not. What names no column is left to `raw`.
 */
export function readSchemaDictionary(raw: unknown): SchemaDictionary {
  const fields = new Map<string, DictionaryField>();
  collect(raw, null, deepest, (field) => {
    if (!fields.has(field.column)) fields.set(field.column, field);
  });
  return { version: versionOf(raw), fields: [...fields.values()], raw };
}

function collect(raw: unknown, group: string | null, depth: number, add: (field: DictionaryField) => void): void {
  if (depth === 0) return;
  for (const { name, value } of openEntries(raw, [...wrappers, ...groupWrappers])) {
    if (isGroup(value)) {
      const title = Array.isArray(value) ? name : (firstText(value, ['name', 'title', 'label', 'group', 'id']) ?? name);
      collect(value, title ?? group, depth - 1, add);
      continue;
    }
    const field = readField(name, value, group);
    if (field) add(field);
  }
}

/** A group holds fields: an array of objects, or an object with such an array or map under a wrapper's name. */
function isGroup(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isObject);
  return isObject(value) && wrappers.some((wrapper) => isFields(own(value, wrapper)));
}

function isFields(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.values(value).every(isObject);
}

function readField(name: string | null, value: unknown, group: string | null): DictionaryField | null {
  const nothing = { apiField: null, type: null, group, meaning: null, values: null, raw: value };
  if (typeof value === 'string') {
    if (name === null) return value === '' ? null : { column: value, ...nothing };
    return versionNames.includes(name) ? null : { column: name, ...nothing, meaning: value };
  }
  if (!isObject(value)) return null;
  const column = name ?? firstText(value, columnNames);
  if (column === null) return null;
  const apiField = firstText(value, apiFieldNames);
  return {
    column,
    apiField,
    type: readType(value),
    group: firstText(value, groupNames) ?? group,
    meaning: firstText(value, meaningNames),
    values: readValues(value),
    raw: value,
  };
}

/** The type; of a JSON schema's several those that say more than that the value may be unknown. */
function readType(field: JsonObject): string | null {
  const several = own(field, 'type');
  if (!Array.isArray(several)) return firstText(field, typeNames);
  const types = several.filter((type) => typeof type === 'string' && type !== 'null');
  return types.length === 0 ? null : types.join(' | ');
}

function readValues(field: JsonObject): readonly string[] | null {
  const list = valueNames.map((name) => own(field, name)).find((value) => typeof value === 'object' && value !== null);
  if (list === undefined) return null;
  if (!Array.isArray(list)) return Object.keys(list as JsonObject);
  return list.map((value) => firstText(value, ['value', 'code', 'name']) ?? String(value));
}

function versionOf(raw: unknown): string | null {
  if (!isObject(raw)) return null;
  const stated = firstText(raw, versionNames);
  if (stated !== null) return stated;
  const inner = ['schema', 'data', 'dictionary', 'meta', 'metadata', 'info']
    .map((name) => own(raw, name))
    .find(isObject);
  return inner === undefined ? null : firstText(inner, versionNames);
}
