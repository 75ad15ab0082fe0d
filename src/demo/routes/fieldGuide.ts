import { columns } from '../../api/schemas/columns.ts';
import { lazy } from '../../base/lazy.ts';
import { requireScope } from '../gates/authenticate.ts';
import { createFieldGuide } from '../seed/fieldGuide.ts';
import type { DemoApp, DemoState } from '../state.ts';

/** `GET /meta/field-guide.pdf`: the 50 columns as a document (META-1). */
export function addFieldGuide(api: DemoApp, _state: DemoState): void {
  const guide = lazy(() => createFieldGuide(columns));
  api.get('/meta/field-guide.pdf', requireScope('meta:read'), async () => {
    const bytes = await guide.get();
    return new Response(bytes, {
      headers: { 'content-type': 'application/pdf', 'content-disposition': 'inline; filename="field-guide.pdf"' },
    });
  });
}
