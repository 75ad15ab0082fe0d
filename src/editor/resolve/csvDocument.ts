import * as vscode from 'vscode';
import { knownDelimiter } from '../common/csvDocument.ts';
import { type CsvTable, readCsv } from './csvTable.ts';
import { certainKind } from './subject.ts';

/** The document as a table, as it stands in the editor, saved or not. */
export function readCsvDocument(document: vscode.TextDocument): CsvTable {
  return readCsv(document.getText(), {
    delimiter: knownDelimiter(document),
    isValue: (cell) => certainKind(cell, 'identifiers') !== null || certainKind(cell, 'report-keys') !== null,
  });
}

/** CSV and TSV files of the workspace, for a person to choose from. */
export async function csvFiles(): Promise<vscode.Uri[]> {
  const files = await vscode.workspace.findFiles('**/*.{csv,tsv,tab}', '**/{node_modules,.git,.venv,venv}/**', 200);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
