import { relative } from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { citation, citedReport } from '../../citation/citation.ts';
import { loadingCode } from '../../notebook/code.ts';
import type { CodeLanguage } from '../../notebook/helpers.ts';
import { describeReports, insertedReport, markdownLinks } from '../../notebook/markdown.ts';
import type { PdfPlace } from './ports.ts';

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
