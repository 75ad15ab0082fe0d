import '../common/jitless.ts';
import { type FieldUseView, schemaProtocol, schemaStateSchema } from '../../protocol/schema.ts';
import { PanelPage } from '../common/page.ts';
import { type DictionaryPage, pageTemplate } from './page.ts';

let use: FieldUseView = { kind: 'none' };
let marked: string | undefined;
/** The row that was asked for stands in the middle until a person goes elsewhere: what is counted makes rows above it higher. */
let isCentered = false;

const page: DictionaryPage = new PanelPage({
  protocol: schemaProtocol,
  schema: schemaStateSchema,
  fresh: { version: 1, filter: '' },
  template: () => pageTemplate(page, use, marked),
  events: {
    use(next) {
      use = next;
      page.draw();
      if (isCentered) center();
    },
    reveal({ column }) {
      marked = column;
      page.forgetScroll();
      page.set({ filter: '' });
      isCentered = true;
      center()?.querySelector('button')?.focus({ preventScroll: true });
    },
  },
});

function center(): Element | null {
  const row = page.root.querySelector(`[data-row="${CSS.escape(marked ?? '')}"]`);
  const place = row?.getBoundingClientRect();
  // Not scrollIntoView: it would scroll the editor around the panel too.
  if (place) scrollBy(0, place.top - (innerHeight - place.height) / 2);
  return row;
}

for (const name of ['wheel', 'keydown', 'pointerdown'])
  window.addEventListener(name, () => {
    isCentered = false;
  });

page.start();
