import { type Column, columns, columnsSchemaVersion, fieldGroupLabel } from '../api/schemas/fields.ts';
import { knownReportTypes, reportClasses, reportClassName, reportTypeName } from '../api/schemas/reportTypes.ts';
import type { DictionaryField, SchemaDictionary } from '../api/schemas/schemaDictionary.ts';
import { l10n } from '../base/l10n.ts';
import { countText, visibleText } from '../base/words.ts';
import type { Block, BlockColumn, BlockNotice, BlockRow, Inline } from '../protocol/blocks.ts';
import { formatLanguages } from '../protocol/format/numbers.ts';

export interface DictionaryEntry {
  /** Position among the 50 columns; null for a field that the service added. */
  readonly number: number | null;
  readonly column: string;
  /** What a person calls it; null when only the service knows it. */
  readonly label: string | null;
  readonly apiField: string | null;
  readonly type: string | null;
  readonly meaning: string | null;
  readonly values: readonly string[];
}

export interface UsedField {
  readonly column: string;
  /** Share of the reports in which it is not empty, 0 to 1. */
  readonly share: number;
  readonly filled: string;
  /** The most frequent values, most frequent first. */
  readonly values: readonly { readonly value: string; readonly count: string }[];
  /** What there is beside those values, in words; null when they are all. */
  readonly others: string | null;
}

/** How the columns are filled in the library on this machine. */
export type ColumnUse =
  /** Nobody is signed in, so there is no library. */
  | { readonly kind: 'none' }
  /** Counting takes a while, so a person is to ask for it. */
  | { readonly kind: 'offered'; readonly words: string }
  | { readonly kind: 'counting'; readonly words: string; readonly share: number }
  | { readonly kind: 'counted'; readonly words: string; readonly fields: readonly UsedField[] }
  | { readonly kind: 'failed'; readonly message: string };

/** What came of asking the service for its dictionary. */
export type LiveDictionary =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'read'; readonly dictionary: SchemaDictionary };

interface DictionaryGroup {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly fields: readonly DictionaryEntry[];
}

/**
 * The fields: the service's words where it gives any, the built-in ones elsewhere, and fields that the service added
 * in a group of their own (COL-1).
 */
export function dictionaryGroups(live: LiveDictionary): DictionaryGroup[] {
  const liveFields = new Map(dictionaryOf(live)?.fields.map((field) => [field.column.toLowerCase(), field]));
  const groups: DictionaryGroup[] = (['report', 'company', 'disclosure'] as const).map((id) => ({
    id,
    title: fieldGroupLabel(id),
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
      note: l10n.t('Not one of the 50 columns known to this version of the extension.'),
      fields: added,
    });
  return groups;
}

function dictionaryOf(live: LiveDictionary): SchemaDictionary | undefined {
  return live.kind === 'read' ? live.dictionary : undefined;
}

/** The dictionary, and how the columns are filled. An answer of an unreadable shape is shown as JSON (META-1). */
export function dictionaryBlocks(live: LiveDictionary, use: ColumnUse): Block[] {
  const dictionary = dictionaryOf(live);
  const isUnreadable = dictionary !== undefined && dictionary.fields.length === 0;
  const source = sourceOf(live, isUnreadable);
  const again: Inline[] = [{ link: l10n.t('Try Again'), act: 'retry' }];
  const used = new Map(use.kind === 'counted' ? use.fields.map((field) => [field.column, field]) : []);
  return [
    {
      kind: 'title',
      text: l10n.t('Schema Dictionary'),
      detail: visibleText(dictionary?.version ?? columnsSchemaVersion),
    },
    {
      kind: 'line',
      look: 'source',
      isStatus: true,
      pieces: source.tone === 'warning' ? [{ icon: 'warning' }, source.text, ...again] : [source.text],
    },
    { kind: 'line', look: 'use', isStatus: true, pieces: usePieces(use) },
    {
      kind: 'tools',
      filter: l10n.t('Search fields, meanings and values'),
      counts: 'fields',
      none: l10n.t('No field matches. Clear the filter to see all.'),
      buttons: [
        { act: 'openFieldGuide', icon: 'file-pdf', words: l10n.t('Field Guide') },
        { act: 'viewAsJson', icon: 'json', words: l10n.t('View as JSON') },
        { act: 'viewAsText', icon: 'list-flat', words: l10n.t('View as Text') },
      ],
    },
    ...dictionaryGroups(live).map((group) => groupSection(group, used)),
    ...(isUnreadable ? [rawBlock(dictionary.raw)] : []),
  ];
}

function rawBlock(raw: unknown): Block {
  const text = visibleText(JSON.stringify(raw, null, 2) ?? 'null');
  return { kind: 'text', title: l10n.t('Raw response'), text };
}

function groupSection({ id, title, note, fields }: DictionaryGroup, used: ReadonlyMap<string, UsedField>): Block {
  const rows = fields.map((field) => fieldRow(field, used.get(field.column)));
  const columnsShown: readonly BlockColumn[] = [
    { head: l10n.t('Number'), look: 'number', short: '#' },
    { head: l10n.t('Column'), look: 'column', isHeader: true },
    { head: l10n.t('API field and type'), look: 'api' },
    { head: l10n.t('Meaning and values'), look: 'meaning' },
    { head: l10n.t('Filled'), look: 'filled' },
    { head: l10n.t('Copy'), look: 'tools', isHeadHidden: true },
  ];
  const table: Block = { kind: 'table', look: 'rows', name: title, columns: columnsShown, rows };
  return { kind: 'section', id: `group-${id}`, title, isCounted: true, ...(note && { note }), blocks: [table] };
}

function fieldRow(entry: DictionaryEntry, used: UsedField | undefined): BlockRow {
  const { number, column, label, apiField, type, meaning } = entry;
  const quiet = (text: string | null): Inline[] => (text === null ? [] : [{ text, look: 'quiet' }]);
  return {
    id: column,
    cells: [
      number === null ? [] : [String(number)],
      [{ text: column, look: 'mono' }, ...quiet(label)],
      [...(apiField === null ? [] : [{ text: apiField, look: 'mono' }]), ...quiet(type)],
      [meaning ?? l10n.t('No meaning given.'), ...valueList(entry, used)],
      used ? [used.filled, { share: used.share }] : [],
      [{ copy: column, label: column }],
    ],
  };
}

/** What codes of a column mean. */
const codeNames: Readonly<Record<string, (code: string) => string | undefined>> = {
  type: reportTypeName,
  class: reportClassName,
  language: (code) => formatLanguages(code, l10n.language()),
};

/** A line for each value, the listed ones first, with its meaning and how often it occurs in the library. */
function valueList({ column, values: listed }: DictionaryEntry, used: UsedField | undefined): Inline[] {
  const counts = new Map(used?.values.map(({ value, count }) => [value, count]));
  const lines = [...new Set([...listed, ...counts.keys()])].map((value): Inline[] => {
    const [name, count] = [codeNames[column]?.(value), counts.get(value)];
    return [
      { text: value, look: listed.length > 0 || name !== undefined ? 'mono' : '' },
      ...(name === undefined || name === value ? [] : [name]),
      ...(count === undefined ? [] : [{ text: count, look: 'quiet' }]),
    ];
  });
  const others: Inline[][] = used?.others == null ? [] : [[{ text: used.others, look: 'quiet' }]];
  const list = [...lines, ...others];
  return list.length === 0 ? [] : [{ list, look: 'values', name: l10n.t('Values') }];
}

/** Where the counting stands, in one line that is there from the start. */
function usePieces(use: ColumnUse): Inline[] {
  const count = (link: string): Inline => ({ link, act: 'count' });
  switch (use.kind) {
    case 'none':
      return [];
    case 'offered':
      return [use.words, count(l10n.t('Count how often each column is filled'))];
    case 'counting':
      return [{ progress: use.share, of: 1, name: l10n.t('Counting') }, use.words];
    case 'counted':
      return [use.words, count(l10n.t('Count again'))];
    case 'failed':
      return [
        { icon: 'warning' },
        l10n.t('The columns could not be counted.'),
        use.message,
        count(l10n.t('Try Again')),
      ];
    default:
      return use satisfies never;
  }
}

function sourceOf(live: LiveDictionary, unreadable: boolean): BlockNotice {
  const info = (text: string) => ({ tone: 'info', text }) as const;
  const warning = (text: string) => ({ tone: 'warning', text }) as const;
  if (live.kind === 'reading') return info(l10n.t('Built-in dictionary. Loading the service’s dictionary…'));
  if (live.kind === 'failed') return warning(l10n.t('Built-in dictionary. {0}', live.message));
  if (!unreadable) return info(l10n.t('Read from the service.'));
  return warning(l10n.t('Built-in dictionary. The service’s response couldn’t be read; it is shown at the end.'));
}

function knownField(column: Column, live: DictionaryField | undefined): DictionaryEntry {
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

function addedField(field: DictionaryField): DictionaryEntry {
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
export function countedUse(counted: number, fields: readonly CountedField[]): ColumnUse {
  return {
    kind: 'counted',
    words: l10n.t('Counted over all reports in your library: {0}.', countText(counted)),
    fields: fields.map((field) => usedField(field, counted)),
  };
}

/** How far the counting is. */
export function countingUse(counted: number, total: number): ColumnUse {
  return {
    kind: 'counting',
    words: l10n.t('Counting {0} reports…', countText(total)),
    share: total === 0 ? 1 : Math.min(1, counted / total),
  };
}

/** Columns that have another value in nearly every report: how often one occurs says nothing. */
const unlisted = new Set([
  ...['filename', 'title', 'pages', 'filesize', 'publication_date', 'period_start', 'period_end'],
  ...['report_key', 'sha256', 'assurance_scope'],
]);

function usedField({ column, filled, distinct, values: counted }: CountedField, reports: number): UsedField {
  const share = reports === 0 ? 0 : filled / reports;
  const values = unlisted.has(column) ? [] : counted;
  return {
    column,
    share,
    filled: shareText(share, filled > 0 && filled < reports),
    values: values.map(({ value, count }) => ({ value: visibleText(value), count: countText(count) })),
    others: unlisted.has(column) ? null : othersText(distinct, filled, values.length),
  };
}

/** Neither 0 % nor 100 % is said of what is only nearly so. */
function shareText(share: number, isPartly: boolean): string {
  const percent = new Intl.NumberFormat(l10n.language(), { style: 'percent' });
  const bounded = isPartly ? Math.min(0.99, Math.max(0.01, share)) : share;
  const sign = isPartly && share < 0.01 ? '< ' : isPartly && share > 0.99 ? '> ' : '';
  return `${sign}${percent.format(bounded)}`;
}

function othersText(distinct: number | null, filled: number, listed: number): string | null {
  if (filled === 0) return null;
  if (distinct === null) return l10n.t('too many values to list');
  return distinct > listed ? l10n.t('{0} more', countText(distinct - listed)) : null;
}
