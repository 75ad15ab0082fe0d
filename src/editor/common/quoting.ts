import { Emitter } from '../../base/disposable.ts';

const wanted = new Emitter<null>();

/** Asks the PDF preview that a person works in to quote what is selected there. */
export function wantQuote(): void {
  wanted.fire(null);
}

/** Fires when what is selected in the preview that a person works in is to be quoted. */
export const onDidWantQuote = wanted.event;
