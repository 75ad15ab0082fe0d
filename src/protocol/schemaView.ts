import { type Column, columns, columnsSchemaVersion, fieldGroupLabel } from '../api/schemas/fields.ts';
import { knownReportTypes, reportClasses } from '../api/schemas/reportTypes.ts';
import type { DictionaryField, SchemaDictionary } from '../api/schemas/schemaDictionary.ts';
import { l10n } from '../base/l10n.ts';
import { usedFieldText } from './fieldUseView.ts';
import { visibleText } from './format/visibleText.ts';
import type { FieldGroup, FieldUseView, FieldView, SchemaView, UsedField } from './schemaDictionary.ts';

/** What came of asking the service for its dictionary. */
export type LiveDictionary =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'read'; readonly dictionary: SchemaDictionary };

/**
 * The dictionary to show: the service's words where it gives any, the built-in ones elsewhere, and fields that the
 * service added in a group of their own (COL-1). An answer of an unreadable shape is kept as JSON (META-1).
 */
export function schemaView(live: LiveDictionary): SchemaView {
  const dictionary = live.kind === 'read' ? live.dictionary : undefined;
  const liveFields = new Map(dictionary?.fields.map((field) => [field.column.toLowerCase(), field]));
  const groups: FieldGroup[] = (['report', 'company', 'disclosure'] as const).map((id) => ({
    id,
    title: fieldGroupLabel(id),
    note: null,
    fields: columns
      .filter((column) => column.group === id)
      .map((column) => knownField(column, liveFields.get(column.name))),
  }));
  const known: ReadonlySet<string> = new Set(columns.map(({ name }) => name));
  const added = [...liveFields].filter(([name]) => !known.has(name)).map(([, field]) => addedField(field));
  if (added.length > 0)
    groups.push({
      id: 'added',
      title: l10n.t('Added by the service'),
      note: l10n.t('Not among the 50 columns that this version of the extension knows.'),
      fields: added,
    });
  const unreadable = dictionary !== undefined && dictionary.fields.length === 0;
  return {
    version: visibleText(dictionary?.version ?? columnsSchemaVersion),
    source: sourceOf(live, unreadable),
    groups,
    raw: unreadable ? visibleText(JSON.stringify(dictionary.raw, null, 2) ?? 'null') : null,
  };
}

/** The dictionary as plain text, for reading without the page. */
export function schemaText(view: SchemaView, use: FieldUseView): string {
  const used = new Map(use.kind === 'counted' ? use.fields.map((field) => [field.column, field]) : []);
  const groups = view.groups.flatMap(({ title, fields }) => [
    '',
    `${title} (${fields.length})`,
    ...fields.map((field) => fieldText(field, used.get(field.column))),
  ]);
  const counted = use.kind === 'counted' ? [use.words] : [];
  return `${[l10n.t('Schema dictionary, version {0}', view.version), view.source.text, ...counted, ...groups].join('\n')}\n`;
}

function fieldText(field: FieldView, used: UsedField | undefined): string {
  const { number, column, label, apiField, type, meaning, values } = field;
  const head = `${number === null ? '' : `${number}. `}${column}${label === null ? '' : ` – ${label}`}`;
  const api = [apiField, type].filter((part) => part !== null).join(', ');
  const listed = values.length === 0 ? '' : ` ${l10n.t('Values: {0}.', values.join(', '))}`;
  const use = used === undefined ? '' : ` ${usedFieldText(used)}`;
  return `${head}${api === '' ? '' : ` (${api})`}: ${meaning ?? l10n.t('No meaning given.')}${listed}${use}`;
}

function sourceOf(live: LiveDictionary, unreadable: boolean): SchemaView['source'] {
  if (live.kind === 'reading')
    return { tone: 'info', text: l10n.t('Built-in dictionary; asking the service for its own…'), canRetry: false };
  if (live.kind === 'failed')
    return { tone: 'warning', text: l10n.t('Built-in dictionary. {0}', live.message), canRetry: true };
  if (unreadable)
    return {
      tone: 'warning',
      text: l10n.t(
        'Built-in dictionary: the service answered in a shape that this version can’t read. Its answer is at the end.',
      ),
      canRetry: true,
    };
  return { tone: 'info', text: l10n.t('As the service describes it.'), canRetry: false };
}

function knownField(column: Column, live: DictionaryField | undefined): FieldView {
  return {
    number: column.number,
    column: column.name,
    label: column.label,
    apiField: shown(live?.apiField) ?? column.apiField,
    type: shown(live?.type) ?? column.type,
    meaning: shown(live?.meaning === column.meaningAsTold ? null : live?.meaning) ?? column.meaning,
    values: live?.values?.map(visibleText) ?? builtInValues(column),
  };
}

function addedField(field: DictionaryField): FieldView {
  return {
    number: null,
    column: visibleText(field.column),
    label: null,
    apiField: shown(field.apiField),
    type: shown(field.type),
    meaning: shown(field.meaning),
    values: field.values?.map(visibleText) ?? [],
  };
}

function shown(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : visibleText(text);
}

/** Values that the interface itself lists; every other column is open. */
function builtInValues(column: Column): string[] {
  if (column.type === 'boolean') return ['TRUE', 'FALSE', l10n.t('empty')];
  if (column.name === 'class') return [...reportClasses];
  if (column.name === 'type') return [...knownReportTypes];
  return [];
}
