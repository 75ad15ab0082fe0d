import { l10n } from '../base/l10n.ts';
import type { MetadataView, Row, Value } from './metadata.ts';

/** The panel's content as Markdown-like plain text, for reading without the page. */
export function metadataText(view: MetadataView): string {
  const facts = view.facts.map(
    ({ label, text, note }) => `${label}: ${[text ?? '–', note].filter(Boolean).join(' – ')}`,
  );
  const head = [view.title, view.company, view.companyDetail, typeText(view), '', ...facts];
  const notices = view.notices.map(({ text }) => l10n.t('Note: {0}', text));
  const groups = view.groups.flatMap(({ title, note, rows }) => [
    '',
    `${title} (${rows.length})`,
    ...(note === null ? [] : [note]),
    ...rows.map(rowText),
  ]);
  return `${[...head, ...notices, ...groups].join('\n')}\n`;
}

/** A value in words, on one line. */
export function valueText(value: Value): string {
  switch (value.kind) {
    case 'missing':
      return value.note ?? '–';
    case 'text':
      return value.detail === null ? value.text : `${value.text} (${value.detail})`;
    case 'mark':
      return value.words;
    case 'goals':
      return value.goals.map(({ number, name }) => (name === null ? number : `${number} ${name}`)).join('; ');
    case 'json':
      return value.text;
  }
}

function rowText(row: Row): string {
  const name = row.name === null ? '' : ` [${row.name}]`;
  const column = row.columnText === null ? '' : ` ${l10n.t('(metadata column: {0})', row.columnText)}`;
  return `${row.label}${name}: ${valueText(row.value)}${column}`;
}

function typeText({ type, typeCode }: MetadataView): string {
  return typeCode === null ? type : `${type} (${typeCode})`;
}
