import * as vscode from 'vscode';
import { codeLanguage, hasHelper } from '../../notebook/code.ts';
import type { CodeLanguage } from '../../notebook/helpers.ts';
import { resourceSetting } from '../common/settings.ts';
import { type Content, codeFor, descriptionText } from './content.ts';

/**
 * Puts reports into a notebook at an index, below the helper that their code needs; it comes with the first of them. A
 * description, then code for each downloads folder; the range is where these are afterwards.
 */
export function cellInsertion(notebook: vscode.NotebookDocument, at: number, content: Content) {
  const language = notebookLanguage(notebook, at);
  const { Markup, Code } = vscode.NotebookCellKind;
  const { helper, texts } = codeFor(content, { language, isCell: true, existing: codeOf(notebook, language) });
  const cells = [
    new vscode.NotebookCellData(Markup, descriptionText(content), 'markdown'),
    ...texts.map((code) => new vscode.NotebookCellData(Code, code.trimEnd(), language)),
  ];
  const index = Math.max(at, helperIndex(notebook, language) + 1);
  const insert = vscode.NotebookEdit.insertCells(index, cells);
  const edits = helper === null ? [insert] : [helperEdit(notebook, index, helper, language), insert];
  const start = index + edits.length - 1;
  return { edits, cells, range: new vscode.NotebookRange(start, start + cells.length) };
}

/** Puts the helper above a notebook's first code cell, or at `index` if that is higher up. */
export function helperEdit(
  notebook: vscode.NotebookDocument,
  index: number,
  helper: string,
  language: CodeLanguage,
): vscode.NotebookEdit {
  const first = notebook.getCells().findIndex(({ kind }) => kind === vscode.NotebookCellKind.Code);
  const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, helper.trimEnd(), language);
  // Collapsed in Jupyter too.
  cell.metadata = { metadata: { jupyter: { source_hidden: true } } };
  return vscode.NotebookEdit.insertCells(first === -1 ? index : Math.min(first, index), [cell]);
}

/** Collapses the helper among cells that were just put into a notebook. */
export async function collapseHelper(cells: readonly vscode.NotebookCell[]): Promise<void> {
  const helper = cells.find(({ document }) => {
    const language = codeLanguage(document.languageId);
    return language !== undefined && hasHelper(document.getText(), language);
  });
  if (!helper) return;
  const { index, notebook } = helper;
  const range = { start: index, end: index + 1 };
  await vscode.commands.executeCommand('notebook.cell.collapseCellInput', { ranges: [range], document: notebook.uri });
}

function helperIndex(notebook: vscode.NotebookDocument, language: CodeLanguage): number {
  return notebook.getCells().findIndex(({ document }) => hasHelper(document.getText(), language));
}

export function codeOf(notebook: vscode.NotebookDocument, language: CodeLanguage): string {
  return notebook
    .getCells()
    .filter(({ document }) => codeLanguage(document.languageId) === language)
    .map(({ document }) => document.getText())
    .join('\n');
}

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
