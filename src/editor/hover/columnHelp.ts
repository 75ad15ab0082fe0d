import * as vscode from 'vscode';
import { type Column, columns } from '../../api/schemas/fields.ts';
import { knownReportTypes, reportClasses, reportClassName, reportTypeName } from '../../api/schemas/reportTypes.ts';
import { nameAt, type PlacedName, type TypedText, typedTextAt } from '../../identifiers/nameInCode.ts';
import { dictionaryGroups } from '../../panels/dictionary.ts';
import { commandIds } from '../common/contributions.ts';
import { isCsvDocument, knownDelimiter } from '../common/csvDocument.ts';
import { linkLine } from './markdown.ts';

const byName: ReadonlyMap<string, Column> = new Map(columns.map((column) => [column.name, column]));
const maxHeader = 20_000;

/** What the metadata column means whose name stands at a place. */
export function columnHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
  const line = document.lineAt(position.line).text;
  const placed = nameAt(line, position.character);
  const column = placed && byName.get(placed.name);
  if (!placed || !column) return undefined;
  const isHeader = position.line === 0 && isCsvDocument(document);
  const isMeant = isHeader ? isHeaderCell(document, line, placed) : isColumn(placed, document);
  if (!isMeant) return undefined;
  const range = new vscode.Range(position.line, placed.start, position.line, placed.end);
  return new vscode.Hover([columnMarkdown(column), columnLink(column)], range);
}

/** Names such as `title` are everybody's: away from a table's brackets they count only where our tables are at work. */
function isColumn({ name, form }: PlacedName, document: vscode.TextDocument): boolean {
  switch (form) {
    case 'subscript':
      return true;
    case 'quoted':
    case 'attribute':
      return isTelling(name) || mentionsLibrary(document);
    case 'bare':
      return false;
    default:
      return form satisfies never;
  }
}

/** A whole cell of a header that has a telling name, or several of ours. */
function isHeaderCell(document: vscode.TextDocument, line: string, { start, end, name }: PlacedName): boolean {
  if (line.length > maxHeader) return false;
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
function columnMarkdown({ name }: Column): vscode.MarkdownString {
  const field = dictionaryGroups({ kind: 'reading' })
    .flatMap(({ fields }) => fields)
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

/** What people call tables of reports. Elsewhere the names are offered only when asked for. */
const tableName = /^(?:df\w*|data|reports?|meta|metadata|frame|table|companies)$|(?:^|_)df\d*(?:_|$)/i;

/** Names of columns and codes of report types, in texts that are compared with them or choose them. */
export function completionsAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  { triggerKind }: Pick<vscode.CompletionContext, 'triggerKind'>,
): vscode.CompletionItem[] {
  const line = document.lineAt(position.line).text;
  const typed = typedTextAt(line.slice(0, position.character));
  if (!typed) return [];
  const isAsked = triggerKind === vscode.CompletionTriggerKind.Invoke;
  if (!isAsked && !isLikely(typed, document)) return [];
  const rest = /^\w*/.exec(line.slice(position.character))?.[0].length ?? 0;
  const range = new vscode.Range(position.line, typed.start, position.line, position.character + rest);
  return itemsFor(typed).map((item) => Object.assign(item, { range }));
}

function isLikely({ wanted, owner }: TypedText, document: vscode.TextDocument): boolean {
  if (wanted === 'column' && owner !== undefined && tableName.test(owner)) return true;
  return mentionsLibrary(document) || (wanted === 'column' && holds(document, (text) => tableImports.test(text)));
}

function itemsFor({ wanted }: TypedText): vscode.CompletionItem[] {
  switch (wanted) {
    case 'column':
      return columns.map((column) => {
        const item = new vscode.CompletionItem(
          { label: column.name, description: column.label },
          vscode.CompletionItemKind.Field,
        );
        item.detail = `${column.type} · ${column.label}`;
        item.documentation = columnMarkdown(column);
        item.sortText = String(column.number).padStart(3, '0');
        return item;
      });
    case 'type':
      return knownReportTypes.map((code, index) => codeItem(code, reportTypeName(code), index));
    case 'class':
      return reportClasses.map((code, index) => codeItem(code, reportClassName(code) ?? code, index));
    default:
      return wanted satisfies never;
  }
}

function codeItem(code: string, name: string, index: number): vscode.CompletionItem {
  const item = new vscode.CompletionItem({ label: code, description: name }, vscode.CompletionItemKind.EnumMember);
  item.detail = name;
  item.sortText = String(index).padStart(3, '0');
  return item;
}

/** More of a document, or of the cells of a notebook together, is not looked at, in characters. */
const maxLook = 200_000;

/** Names that no other table is likely to have. The others, such as `type` and `title`, are everybody's. */
const telling = new Set<string>(columns.map(({ name }) => name).filter((name) => isTelling(name)));

/** Whether a column's name by itself says that the metadata of reports is meant. */
function isTelling(name: string): boolean {
  return name.includes('_');
}

const tableImports = /\b(?:pandas|polars|duckdb|pyarrow|data\.table|tidyverse|dplyr|readr)\b/;

/** Whether a document, or a cell of the notebook it belongs to, names a column or a file that is surely ours. */
export function mentionsLibrary(document: vscode.TextDocument): boolean {
  return holds(document, tellsOfLibrary);
}

function tellsOfLibrary(text: string): boolean {
  if (/reports\.(?:lock\.json|csv)/.test(text)) return true;
  return text.match(/\b\w+_\w+/g)?.some((word) => telling.has(word)) ?? false;
}

function holds(document: vscode.TextDocument, isIn: (text: string) => boolean): boolean {
  let left = maxLook;
  for (const cell of cellsAround(document)) {
    const start = startOf(cell, left);
    if (isIn(start)) return true;
    left -= start.length;
  }
  return false;
}

/** The document first, then the cells of the notebook it belongs to. */
function cellsAround(document: vscode.TextDocument): readonly vscode.TextDocument[] {
  const isHere = ({ document: other }: vscode.NotebookCell) => other === document;
  const notebook =
    document.uri.scheme === 'vscode-notebook-cell'
      ? vscode.workspace.notebookDocuments.find((each) => each.getCells().some(isHere))
      : undefined;
  return [document, ...(notebook?.getCells() ?? []).filter((cell) => !isHere(cell)).map((cell) => cell.document)];
}

function startOf(document: vscode.TextDocument, length: number): string {
  // A line at a time: a long document is not copied as a whole for its first part.
  let text = '';
  for (let line = 0; line < document.lineCount && text.length < length; line += 1)
    text += `${document.lineAt(line).text.slice(0, length - text.length)}\n`;
  return text;
}
