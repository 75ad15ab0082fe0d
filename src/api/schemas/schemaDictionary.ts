import { firstText, isObject, own } from '../../base/json.ts';
import { entriesIn, findFacts } from './open.ts';

/** One field of the dictionary as the service describes it (COL-1, META-1). */
export interface DictionaryField {
  readonly column: string;
  readonly apiField: string | null;
  readonly type: string | null;
  readonly meaning: string | null;
  /** The values that may occur, where the service lists them. */
  readonly values: readonly string[] | null;
}

export interface SchemaDictionary {
  readonly version: string | null;
  readonly fields: readonly DictionaryField[];
  readonly raw: unknown;
}

const wrappers = ['fields', 'columns', 'properties', 'schema', 'data'];
const version = ['version', 'schema_version'];
const names = {
  column: ['column', 'name', 'field'],
  apiField: ['api_field', 'field', 'source'],
  type: ['type'],
  meaning: ['meaning', 'description'],
  values: ['values', 'enum'],
};

/** Reads `GET /meta/schema`, whose shape is open (COL-1, META-1): a list of fields, or a map by column. */
export function readSchemaDictionary(raw: unknown): SchemaDictionary {
  const fields = new Map<string, DictionaryField>();
  for (const [name, value] of entriesIn(raw, wrappers)) {
    const field = readField(name, value);
    if (field && !fields.has(field.column)) fields.set(field.column, field);
  }
  return { version: firstText(findFacts(raw, { version }, wrappers), ['version']), fields: [...fields.values()], raw };
}

function readField(name: string | null, value: unknown): DictionaryField | null {
  if (!isObject(value)) return null;
  const textOf = (fact: keyof typeof names) => firstText(value, names[fact]);
  const column = name ?? textOf('column');
  if (column === null) return null;
  const values = names.values.map((each) => own(value, each)).find(Array.isArray);
  return {
    ...{ column, apiField: textOf('apiField'), type: textOf('type'), meaning: textOf('meaning') },
    values: values?.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))) ?? null,
  };
}
