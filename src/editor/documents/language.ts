import type * as vscode from 'vscode';
import { type CodeLanguage, codeLanguage } from '../../notebook/code.ts';
import { resourceSetting } from '../common/settings.ts';

/**
 * The language of a notebook's code cells: the one that is set, else that of the code cell nearest before `index`, else
 * of the kernel that the file names, else Python.
 */
export function notebookLanguage(notebook: vscode.NotebookDocument, index: number): CodeLanguage {
  const chosen = codeLanguage(resourceSetting('reportLibrary.notebook.language', notebook.uri));
  if (chosen) return chosen;
  const cells = notebook.getCells().map((cell) => codeLanguage(cell.document.languageId));
  const before = cells.slice(0, index).findLast((language) => language !== undefined);
  return before ?? cells.find((language) => language !== undefined) ?? kernelLanguage(notebook.metadata) ?? 'python';
}

function kernelLanguage(metadata: unknown): CodeLanguage | undefined {
  for (const path of [
    ['metadata', 'kernelspec', 'language'],
    ['metadata', 'language_info', 'name'],
  ]) {
    const name = path.reduce<unknown>(
      (value, member) => (value as Record<string, unknown> | undefined)?.[member],
      metadata,
    );
    const language = typeof name === 'string' ? codeLanguage(name) : undefined;
    if (language) return language;
  }
  return undefined;
}
