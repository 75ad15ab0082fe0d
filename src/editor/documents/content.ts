import { relative } from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { citation, citedReport } from '../../citation/citation.ts';
import { codeLanguage, hasHelper, loadingCode } from '../../notebook/code.ts';
import type { CodeLanguage } from '../../notebook/helpers.ts';
import { describeReports, insertedReport, markdownLinks } from '../../notebook/markdown.ts';
import { resourceSetting } from '../common/settings.ts';
import type { PdfPlace } from './reports.ts';

/** Reports for a document, with the places of those PDFs that are here or can come. */
export interface Content {
  readonly reports: readonly Report[];
  readonly places: ReadonlyMap<number, PdfPlace>;
  /** The document they go into: paths are seen from there. */
  readonly document: vscode.Uri;
}

/**
 * Code that loads the reports whose PDF is here, for each downloads folder, and the helper if the existing code lacks
 * it; no text when no PDF is here.
 */
export function codeFor(
  { reports, places, document }: Content,
  place: { readonly language: CodeLanguage; readonly isCell: boolean; readonly existing: string },
): { readonly helper: string | null; readonly texts: readonly string[] } {
  const { language, isCell: shown } = place;
  const homes = Map.groupBy(
    reports.filter(({ report_id }) => places.has(report_id)),
    ({ report_id }) => places.get(report_id)?.home.toString(),
  );
  let { existing } = place;
  const all = [...homes.values()].flatMap((group) => {
    const home = places.get(group[0]?.report_id ?? 0)?.home;
    if (!home) return [];
    const code = loadingCode(language, { reports: group, folder: folderFor(home, document), shown, existing });
    existing += code.helper ?? '';
    return [code];
  });
  return {
    helper: all[0]?.helper ?? null,
    texts: all.flatMap(({ code, table }) => (table === null ? [code] : [code, table])),
  };
}

export function descriptionText({ reports }: Content): string {
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  return describeReports(reports.map(insertedReport), day.join('-'));
}

/** Links with citations, seen from the document's own folder. */
export function linkText({ reports, places, document }: Content): string {
  return markdownLinks(
    reports.map((report) => {
      const pdf = places.get(report.report_id)?.uri;
      return { report: insertedReport(report), path: pdf ? pathFrom(document, pdf) : null };
    }),
  );
}

/** The paths of the PDFs, a line each, as a program started in the workspace folder would open them. */
export function pathText({ reports, places }: Content): string {
  return reports
    .flatMap(({ report_id }) => places.get(report_id)?.uri ?? [])
    .map((uri) => vscode.workspace.asRelativePath(uri, false))
    .join('\n');
}

export function footnoteText({ reports }: Content): string {
  return citation('footnote', reports.map(citedReport));
}

/**
 * The downloads folder as code at the document should look for it, going up: its path in the workspace folder; from
 * another workspace folder the way there; from anywhere else the absolute path.
 */
function folderFor(home: vscode.Uri, document: vscode.Uri): string {
  const owner = vscode.workspace.getWorkspaceFolder(home);
  const place = document.scheme === 'untitled' ? owner : vscode.workspace.getWorkspaceFolder(document);
  return owner && place ? slashes(relative(place.uri.fsPath, home.fsPath)) : slashes(home.fsPath);
}

/** The way from a document to a PDF; from a document that is nowhere yet, from the workspace folder. */
export function pathFrom(document: vscode.Uri, pdf: vscode.Uri): string {
  if (document.scheme === 'untitled') return slashes(vscode.workspace.asRelativePath(pdf, false));
  return slashes(relative(vscode.Uri.joinPath(document, '..').fsPath, pdf.fsPath));
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/**
 * Puts reports into a notebook at an index, below the helper that their code needs; it comes with the first of them. A
 * description, then code for each downloads folder; the range is where these are afterward.
 */
export function cellInsertion(notebook: vscode.NotebookDocument, at: number, content: Content) {
  const language = notebookLanguage(notebook, at);
  const { Markup, Code } = vscode.NotebookCellKind;
  const { helper, texts } = codeFor(content, { language, isCell: true, existing: notebookCode(notebook, language) });
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

export function notebookCode(notebook: vscode.NotebookDocument, language: CodeLanguage): string {
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

/** @throws Error with the next step for a notebook that can't be changed */
export async function changeNotebook(notebook: vscode.Uri, edits: vscode.NotebookEdit[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook, edits);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error(vscode.l10n.t('This notebook can’t be changed. Open one that can be edited, then insert again.'));
}

/** @throws Error with the next step for a text that could not be changed */
export function mustBeChanged(isChanged: boolean): void {
  if (isChanged) return;
  throw new Error(vscode.l10n.t('This document can’t be changed. Open one that can be edited, then insert again.'));
}
