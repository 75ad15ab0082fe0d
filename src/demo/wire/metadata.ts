import { columns } from '../../api/schemas/fields.ts';

/**
 * The metadata object of a report (CNV-4): all 50 columns, every value a string, from its typed fields. A partial
 * document's title is marked (CNV-7).
 */
export function metadataOf(fields: Readonly<Record<string, unknown>>, scope: string): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const column of columns) metadata[column.name] = textOf(fields[column.apiField]);
  const mark = partMarks[scope];
  if (mark && metadata.title && !metadata.title.endsWith(mark)) metadata.title += ` ${mark}`;
  return metadata;
}

const partMarks: Readonly<Record<string, string>> = { extract: '(Extract)', chapter: '(Chapter)' };

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return String(value);
}
