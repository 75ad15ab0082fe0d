import * as vscode from 'vscode';
import { columns } from '../../api/schemas/fields.ts';

/** More of a document is not looked at, in characters. */
const longestLook = 200_000;
const mostCells = 200;

/** Names that no other table is likely to have. The others, such as `type` and `title`, are everybody's. */
const telling = columns.map(({ name }) => name).filter((name) => isTelling(name));
const tellsOfLibrary = new RegExp(`\\b(?:${telling.join('|')})\\b|reports\\.(?:lock\\.json|csv)`);

/** Whether a column's name by itself says that the metadata of reports is meant. */
export function isTelling(name: string): boolean {
  return name.includes('_');
}

/** Whether documents are about our tables, remembered for as long as they don't change. */
export class DocumentWords {
  readonly #known = new WeakMap<vscode.TextDocument, { readonly version: number; readonly tells: boolean }>();

  /** Whether a document, or a cell of the notebook it belongs to, names a column or a file that is surely ours. */
  tellsOfLibrary(document: vscode.TextDocument): boolean {
    return cellsAround(document).some((each) => this.#tells(each));
  }

  /** Whether it works with tables at all. */
  usesTables(document: vscode.TextDocument): boolean {
    const imports = /\b(?:pandas|polars|duckdb|pyarrow|DataFrames|data\.table|tidyverse|dplyr|readr)\b/;
    return cellsAround(document).some((each) => imports.test(startOf(each)));
  }

  #tells(document: vscode.TextDocument): boolean {
    const known = this.#known.get(document);
    if (known?.version === document.version) return known.tells;
    const tells = tellsOfLibrary.test(startOf(document));
    this.#known.set(document, { version: document.version, tells });
    return tells;
  }
}

function cellsAround(document: vscode.TextDocument): readonly vscode.TextDocument[] {
  if (document.uri.scheme !== 'vscode-notebook-cell') return [document];
  const notebook = vscode.workspace.notebookDocuments.find((each) =>
    each.getCells().some((cell) => cell.document === document),
  );
  return notebook
    ? notebook
        .getCells()
        .slice(0, mostCells)
        .map((cell) => cell.document)
    : [document];
}

function startOf(document: vscode.TextDocument): string {
  // A line at a time: a long document is not copied as a whole for its first part.
  let text = '';
  for (let line = 0; line < document.lineCount && text.length < longestLook; line += 1) {
    text += `${document.lineAt(line).text.slice(0, longestLook)}\n`;
  }
  return text;
}
