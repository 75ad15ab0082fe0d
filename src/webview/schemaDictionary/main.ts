import '../common/jitless.ts';
import { type FieldUseView, schemaProtocol, schemaStateSchema } from '../../protocol/schema.ts';
import { PanelPage } from '../common/page.ts';
import { type DictionaryPage, pageTemplate } from './page.ts';

let use: FieldUseView = { kind: 'none' };
let marked: string | undefined;

const page: DictionaryPage = new PanelPage({
  protocol: schemaProtocol,
  schema: schemaStateSchema,
  fresh: { version: 1, filter: '' },
  template: () => pageTemplate(page, use, marked),
  events: {
    use(next) {
      use = next;
      page.draw();
    },
    reveal({ column }) {
      marked = column;
      page.forgetScroll();
      page.set({ filter: '' });
      const row = document.querySelector(`[data-row="${CSS.escape(column)}"]`);
      const place = row?.getBoundingClientRect();
      // Not scrollIntoView: it would scroll the editor around the panel too.
      if (place) scrollBy(0, place.top - (innerHeight - place.height) / 2);
      row?.querySelector('button')?.focus({ preventScroll: true });
    },
  },
});

page.start();
