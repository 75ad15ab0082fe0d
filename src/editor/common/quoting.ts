import type { Uri } from 'vscode';
import { Emitter } from '../../base/disposable.ts';
import type { Passage } from '../../protocol/pdfPreview.ts';

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

/** What a person drags out of the preview of a PDF. */
interface DraggedPassage {
  readonly file: Uri;
  readonly passage: Passage;
}

let dragged: DraggedPassage | undefined;

/** The passage that was dragged out of a preview last: a drag itself carries only that it is one. */
export function draggedPassage(): DraggedPassage | undefined {
  return dragged;
}

export function noteDragged(passage: DraggedPassage): void {
  dragged = passage;
}
