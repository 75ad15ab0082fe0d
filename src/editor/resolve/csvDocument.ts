import * as vscode from 'vscode';
import { type CsvTable, readCsv } from './csvTable.ts';
import { certainKind } from './subject.ts';

const languages = new Set(['csv', 'tsv', 'csv (semicolon)', 'csv (pipe)', 'dynamic csv']);

/** Whether a document is a table of separated values, by its language or its name. */
export function isCsvDocument({ languageId, uri }: Pick<vscode.TextDocument, 'languageId' | 'uri'>): boolean {
  return languages.has(languageId) || /\.(?:csv|tsv|tab)$/i.test(uri.path);
}

/** The document as a table, as it stands in the editor, saved or not. */
export function readCsvDocument(document: vscode.TextDocument): CsvTable {
  const isTabs = document.languageId === 'tsv' || /\.(?:tsv|tab)$/i.test(document.uri.path);
  return readCsv(document.getText(), {
    delimiter: isTabs ? '\t' : undefined,
    isValue: (cell) => certainKind(cell, 'identifiers') !== null || certainKind(cell, 'report-keys') !== null,
  });
}

/** CSV and TSV files of the workspace, for a person to choose from. */
export async function csvFiles(): Promise<vscode.Uri[]> {
  const files = await vscode.workspace.findFiles('**/*.{csv,tsv,tab}', '**/{node_modules,.git,.venv,venv}/**', 200);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
