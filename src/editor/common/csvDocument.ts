import type * as vscode from 'vscode';

const languages = new Set(['csv', 'tsv', 'csv (semicolon)', 'csv (pipe)', 'dynamic csv']);

/** Whether a document is a table of separated values, by its language or its name. */
export function isCsvDocument({ languageId, uri }: Pick<vscode.TextDocument, 'languageId' | 'uri'>): boolean {
  return languages.has(languageId) || /\.(?:csv|tsv|tab)$/i.test(uri.path);
}

/** The delimiter that a document's name or language tells; undefined where it has to be guessed. */
export function knownDelimiter({
  languageId,
  uri,
}: Pick<vscode.TextDocument, 'languageId' | 'uri'>): string | undefined {
  return languageId === 'tsv' || /\.(?:tsv|tab)$/i.test(uri.path) ? '\t' : undefined;
}
