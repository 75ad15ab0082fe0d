import * as vscode from 'vscode';
import { type Column, columns } from '../../api/schemas/fields.ts';
import { nameAt, type PlacedName } from '../../identifiers/nameInCode.ts';
import { schemaView } from '../../protocol/schemaView.ts';
import { commandIds } from '../common/contributions.ts';
import { isCsvDocument, knownDelimiter } from '../common/csvDocument.ts';
import { type DocumentWords, isTelling } from './documentWords.ts';
import { linkLine } from './markdown.ts';

const byName: ReadonlyMap<string, Column> = new Map(columns.map((column) => [column.name, column]));
const longestHeader = 20_000;

/** What the metadata column means whose name stands at a place. */
export function columnHover(
  words: DocumentWords,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.Hover | undefined {
  const line = document.lineAt(position.line).text;
  const placed = nameAt(line, position.character);
  const column = placed && byName.get(placed.name);
  if (!placed || !column) return undefined;
  const isHeader = position.line === 0 && isCsvDocument(document);
  const isMeant = isHeader
    ? isHeaderCell(document, line, placed)
    : isColumn(placed, () => words.tellsOfLibrary(document));
  if (!isMeant) return undefined;
  const range = new vscode.Range(position.line, placed.start, position.line, placed.end);
  return new vscode.Hover([columnMarkdown(column), columnLink(column)], range);
}

/** Names such as `title` are everybody's: away from a table's brackets they count only where our tables are at work. */
function isColumn({ name, form }: PlacedName, tellsOfLibrary: () => boolean): boolean {
  switch (form) {
    case 'subscript':
      return true;
    case 'quoted':
    case 'attribute':
      return isTelling(name) || tellsOfLibrary();
    case 'bare':
      return false;
    default:
      return form satisfies never;
  }
}

/** A whole cell of a header that has a telling name, or several of ours. */
function isHeaderCell(document: vscode.TextDocument, line: string, { start, end, name }: PlacedName): boolean {
  if (line.length > longestHeader) return false;
  const delimiter = knownDelimiter(document) ?? [',', ';', '\t', '|'].find((sign) => line.includes(sign)) ?? ',';
  const bare = (cell: string) => cell.replace(/^[\s"\ufeff]+|[\s"]+$/g, '');
  const from = line.lastIndexOf(delimiter, start - 1) + 1;
  const next = line.indexOf(delimiter, end);
  if (bare(line.slice(from, next < 0 ? undefined : next)) !== name) return false;
  const ours = line
    .split(delimiter)
    .map(bare)
    .filter((cell) => byName.has(cell));
  return ours.length >= 3 || ours.some(isTelling);
}

/** All of it is ours, so that nothing in it needs escaping. */
export function columnMarkdown({ name }: Column): vscode.MarkdownString {
  const field = schemaView({ kind: 'reading' })
    .groups.flatMap(({ fields }) => fields)
    .find(({ column }) => column === name);
  const lines = [
    `**${field?.label ?? name}**  \`${name}\`  ${field?.type ?? ''}`,
    field?.meaning ?? '',
    field && field.values.length > 0
      ? vscode.l10n.t('Values: {0}', field.values.map((value) => `\`${value}\``).join(', '))
      : '',
    vscode.l10n.t('Column {0} of {1} · API field `{2}`', field?.number ?? '', columns.length, field?.apiField ?? name),
  ];
  return new vscode.MarkdownString(lines.filter((line) => line !== '').join('\n\n'));
}

function columnLink({ name }: Column): vscode.MarkdownString {
  return linkLine([{ title: vscode.l10n.t('Schema Dictionary'), command: commandIds.openSchema, argument: name }]);
}
