import type { Uri } from 'vscode';
import { Emitter } from '../../base/disposable.ts';

/** What the PDF preview in use may be asked to do: quote its selection, or copy a table. */
type PreviewWish = 'quoteSelection' | 'copyTable';

const wanted = new Emitter<PreviewWish>();

export function wantInPreview(what: PreviewWish): void {
  wanted.fire(what);
}

/** Fires with what the preview that a person works in is to do. */
export const onDidWantInPreview = wanted.event;

/** Where a person is in PDFs, by the file's address. */
const shownPages = new Map<string, number>();

/** The page, from 1, that the preview of a PDF showed last. */
export function shownPage(file: Uri): number {
  return shownPages.get(file.toString()) ?? 1;
}

export function noteShownPage(file: Uri, page: number): void {
  shownPages.set(file.toString(), page);
}
