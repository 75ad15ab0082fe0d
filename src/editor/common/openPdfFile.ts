import * as vscode from 'vscode';
import { Emitter } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import type { Place } from '../../protocol/pdfPreview.ts';
import { pdfPreviewType } from './contributions.ts';

const ownId = 'report-library.report-library';

/** What is known of a PDF that is opened, beside the file. */
interface PdfToOpen {
  readonly reportId?: number | undefined;
  /** Where it opens; only our preview can go to a place. */
  readonly place?: Place | undefined;
  /** Whether a new tab for it makes room for the next one that is opened so. */
  readonly isForALook?: boolean | undefined;
}

/** The reports that opened PDFs are of, by the file's address. */
const openedReports = new Map<string, number>();

/** Places that previews were opened for and have not told to be at yet, by the file's address. */
const wantedPlaces = new Map<string, Place>();
const wanted = new Emitter<string>();

/** Fires with a file's address when a preview of it, which may have been there before, is to go to a place. */
export const onDidWantPlace = wanted.event;

/** Where a preview of a file is to go, until it is there: a page that was told of it may be gone by then. */
export function wantedPlace(file: vscode.Uri): Place | undefined {
  return wantedPlaces.get(file.toString());
}

/** A preview of a file is at a place; another one may be wanted by now. */
export function noteArrival(file: vscode.Uri, place: Place | undefined): void {
  if (wantedPlace(file) === place) wantedPlaces.delete(file.toString());
}

export function openedReport(file: vscode.Uri): number | undefined {
  return openedReports.get(file.toString());
}

/** Opens a PDF in the person's own PDF editor if there is one and no place is asked for, else in our preview. */
export async function openPdfFile(
  file: vscode.Uri,
  { reportId, place, isForALook = false }: PdfToOpen = {},
): Promise<void> {
  if (reportId !== undefined) openedReports.set(file.toString(), reportId);
  if (place) return openAt(file, place, isForALook);
  const choice = usualPdfEditor();
  if (choice.kind === 'usual') await vscode.commands.executeCommand('vscode.open', file);
  else await vscode.commands.executeCommand('vscode.openWith', file, choice.viewType);
}

/** In the preview that shows the file already, whichever column it is in, else in a new one. */
async function openAt(file: vscode.Uri, place: Place, isForALook: boolean): Promise<void> {
  wantedPlaces.set(file.toString(), place);
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const shows = ({ tabs }: vscode.TabGroup) =>
    tabs.some(
      ({ input }) =>
        input instanceof vscode.TabInputCustom &&
        input.viewType === pdfPreviewType &&
        input.uri.toString() === file.toString(),
    );
  const group = shows(activeTabGroup) ? activeTabGroup : all.find(shows);
  const where = isForALook ? { viewColumn: group?.viewColumn, preview: true } : group?.viewColumn;
  await vscode.commands.executeCommand('vscode.openWith', file, pdfPreviewType, where);
  wanted.fire(file.toString());
}

function usualPdfEditor(): PdfEditor {
  const associations = vscode.workspace.getConfiguration('workbench').get('editorAssociations');
  return pdfEditor(vscode.extensions.all, associations, { id: ownId, viewType: pdfPreviewType });
}

/** As much of another extension's manifest as is needed here. All of it is that extension's word. */
interface EditorContributor {
  readonly id: string;
  readonly packageJSON: unknown;
}

/** Which editor a PDF opens in: the one the editor would choose itself, or the one of this name. */
type PdfEditor = { readonly kind: 'usual' } | { readonly kind: 'named'; readonly viewType: string };

/**
 * The editor that a person wants for PDFs: their own choice in `workbench.editorAssociations`, else a PDF editor that
 * they installed, else ours; our own entry there is of the downloads folder alone. Editors that take any file, such as
 * hex editors, are no PDF editors.
 */
export function pdfEditor(
  extensions: readonly EditorContributor[],
  associations: unknown,
  own: { readonly id: string; readonly viewType: string },
): PdfEditor {
  const chosen = isObject(associations) ? Object.entries(associations) : [];
  if (chosen.some(([pattern, viewType]) => isForPdf(pattern) && viewType !== own.viewType)) return { kind: 'usual' };
  const others = extensions.filter(({ id }) => id.toLowerCase() !== own.id);
  const offered = others.flatMap(({ packageJSON }) => pdfEditorsOf(packageJSON));
  const claiming = offered.find(({ priority }) => priority !== 'option');
  return { kind: 'named', viewType: (claiming ?? offered[0])?.viewType ?? own.viewType };
}

function pdfEditorsOf(manifest: unknown): { viewType: string; priority: unknown }[] {
  const contributes = member(manifest, 'contributes');
  const editors = member(contributes, 'customEditors');
  if (!Array.isArray(editors)) return [];
  return editors.flatMap((editor: unknown) => {
    const viewType = member(editor, 'viewType');
    const selector = member(editor, 'selector');
    const patterns = Array.isArray(selector) ? selector.map((one: unknown) => member(one, 'filenamePattern')) : [];
    const fits = patterns.some((pattern) => typeof pattern === 'string' && isForPdf(pattern));
    return fits && typeof viewType === 'string' ? [{ viewType, priority: member(editor, 'priority') }] : [];
  });
}

/** True for a file pattern that names PDFs: `*.pdf`, `*.{pdf,ps}`, `*.[pP][dD][fF]`. */
function isForPdf(pattern: string): boolean {
  const plain = pattern.replace(/\[([a-z])\1\]/gi, '$1').toLowerCase();
  return /\.(?:pdf$|\{(?:[^}]*,)?pdf[,}])/.test(plain);
}

function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** What the PDF preview in use may be asked to do: quote its selection, or copy a table. */
type PreviewWish = 'quoteSelection' | 'copyTable';

const wishes = new Emitter<PreviewWish>();

export function wantInPreview(what: PreviewWish): void {
  wishes.fire(what);
}

/** Fires with what the preview that a person works in is to do. */
export const onDidWantInPreview = wishes.event;

/** Where a person is in PDFs, by the file's address. */
const shownPages = new Map<string, number>();

/** The page, from 1, that the preview of a PDF showed last. */
export function shownPage(file: vscode.Uri): number {
  return shownPages.get(file.toString()) ?? 1;
}

export function noteShownPage(file: vscode.Uri, page: number): void {
  shownPages.set(file.toString(), page);
}
