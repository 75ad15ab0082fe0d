import { createHash } from 'node:crypto';
import { columns } from '../../api/schemas/fields.ts';
import { lazy } from '../../base/lazy.ts';
import { requireScope } from '../gates/authenticate.ts';
import { createFieldGuide } from '../seed/fieldGuide.ts';
import type { DemoApp, DemoState } from '../state.ts';

/** `GET /meta/field-guide.pdf`: the 50 columns as a document (META-1). */
export function addFieldGuide(api: DemoApp, _state: DemoState): void {
  const guide = lazy(async () => {
    const bytes = await createFieldGuide(columns);
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
  });
  api.get('/meta/field-guide.pdf', requireScope('meta:read'), async (context) => {
    const { bytes, etag } = await guide.get();
    if (context.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } });
    return new Response(bytes, {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': 'inline; filename="field-guide.pdf"',
        etag,
      },
    });
  });
}
