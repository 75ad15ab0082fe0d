import { type Column, columns, columnsSchemaVersion, fieldGroupLabel } from '../api/schemas/fields.ts';
import { knownReportTypes, reportClasses } from '../api/schemas/reportTypes.ts';
import type { DictionaryField, SchemaDictionary } from '../api/schemas/schemaDictionary.ts';
import { l10n } from '../base/l10n.ts';
import { countText, visibleText } from '../base/words.ts';
import type { DictionaryGroup, FieldUseView, FieldView, SchemaView, UsedField } from './schema.ts';

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
  const groups: DictionaryGroup[] = (['report', 'company', 'disclosure'] as const).map((id) => ({
    id,
    title: fieldGroupLabel(id),
    note: null,
    rows: columns
      .filter((column) => column.group === id)
      .map((column) => knownField(column, liveFields.get(column.name))),
  }));
  const known: ReadonlySet<string> = new Set(columns.map(({ name }) => name));
  const added = [...liveFields].filter(([name]) => !known.has(name)).map(([, field]) => addedField(field));
  if (added.length > 0)
    groups.push({
      id: 'added',
      title: l10n.t('Added by the service'),
      note: l10n.t('Not one of the 50 columns known to this version of the extension.'),
      rows: added,
    });
  const unreadable = dictionary !== undefined && dictionary.fields.length === 0;
  return {
    version: visibleText(dictionary?.version ?? columnsSchemaVersion),
    source: sourceOf(live, unreadable),
    groups,
    raw: unreadable ? visibleText(JSON.stringify(dictionary.raw, null, 2) ?? 'null') : null,
  };
}

function sourceOf(live: LiveDictionary, unreadable: boolean): SchemaView['source'] {
  const info = (text: string) => ({ tone: 'info', text }) as const;
  const warning = (text: string) => ({ tone: 'warning', text }) as const;
  if (live.kind === 'reading') return info(l10n.t('Built-in dictionary; asking the service for its own…'));
  if (live.kind === 'failed') return warning(l10n.t('Built-in dictionary. {0}', live.message));
  if (!unreadable) return info(l10n.t('Read from the service.'));
  return warning(
    l10n.t(
      'Built-in dictionary: the service answered in a shape that this version can’t read. Its answer is at the end.',
    ),
  );
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

interface CountedField {
  readonly column: string;
  readonly filled: number;
  /** Null when too many values occur. */
  readonly distinct: number | null;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** How the columns are filled, ready to be shown. */
export function fieldUseView(counted: number, fields: readonly CountedField[]): FieldUseView {
  return {
    kind: 'counted',
    words: l10n.t('Counted over all reports in your library: {0}.', countText(counted)),
    fields: fields.map((field) => usedField(field, counted)),
  };
}

/** How far the counting is. */
export function countingView(counted: number, total: number): FieldUseView {
  return {
    kind: 'counting',
    words: l10n.t('Counting {0} reports…', countText(total)),
    share: total === 0 ? 1 : Math.min(1, counted / total),
  };
}

function usedField({ column, filled, distinct, values }: CountedField, counted: number): UsedField {
  const share = counted === 0 ? 0 : filled / counted;
  return {
    column,
    share,
    filled: shareText(share, filled > 0 && filled < counted),
    // A value that occurs once everywhere tells nothing as a list.
    values: isUnique(distinct, filled)
      ? []
      : values.map(({ value, count }) => ({ value: visibleText(value), count: countText(count) })),
    others: othersText(distinct, filled, values.length),
  };
}

/** Neither 0 % nor 100 % is said of what is only nearly so. */
function shareText(share: number, isPartly: boolean): string {
  const percent = new Intl.NumberFormat(l10n.language(), { style: 'percent' });
  const bounded = isPartly ? Math.min(0.99, Math.max(0.01, share)) : share;
  const sign = isPartly && share < 0.01 ? '< ' : isPartly && share > 0.99 ? '> ' : '';
  return `${sign}${percent.format(bounded)}`;
}

function othersText(distinct: number | null, filled: number, told: number): string | null {
  if (filled === 0) return null;
  if (distinct === null) return l10n.t('too many values to list');
  if (isUnique(distinct, filled)) return filled === 1 ? null : l10n.t('different in every report');
  return distinct > told ? l10n.t('{0} more', countText(distinct - told)) : null;
}

function isUnique(distinct: number | null, filled: number): boolean {
  return distinct === filled && filled > 1;
}
