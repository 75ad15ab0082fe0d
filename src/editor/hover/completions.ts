import * as vscode from 'vscode';
import { columns } from '../../api/schemas/fields.ts';
import { knownReportTypes, reportClasses, reportClassName, reportTypeName } from '../../api/schemas/reportTypes.ts';
import { type TypedText, typedTextAt } from '../../identifiers/nameInCode.ts';
import { columnMarkdown } from './columnHover.ts';
import type { DocumentWords } from './documentWords.ts';

/** What people call tables of reports. Elsewhere the names are offered only when asked for. */
const tableName = /^(?:df\w*|data|reports?|meta|metadata|frame|table|companies)$|(?:^|_)df\d*(?:_|$)/i;

/** Names of columns and codes of report types, in texts that are compared with them or choose them. */
export function completionsAt(
  words: DocumentWords,
  document: vscode.TextDocument,
  position: vscode.Position,
  { triggerKind }: Pick<vscode.CompletionContext, 'triggerKind'>,
): vscode.CompletionItem[] {
  const line = document.lineAt(position.line).text;
  const typed = typedTextAt(line.slice(0, position.character));
  if (!typed) return [];
  const isAsked = triggerKind === vscode.CompletionTriggerKind.Invoke;
  if (!isAsked && !isLikely(typed, words, document)) return [];
  const rest = /^\w*/.exec(line.slice(position.character))?.[0].length ?? 0;
  const range = new vscode.Range(position.line, typed.start, position.line, position.character + rest);
  return itemsFor(typed).map((item) => Object.assign(item, { range }));
}

function isLikely({ wanted, owner }: TypedText, words: DocumentWords, document: vscode.TextDocument): boolean {
  if (wanted === 'column' && owner !== undefined && tableName.test(owner)) return true;
  return words.tellsOfLibrary(document) || (wanted === 'column' && words.usesTables(document));
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
