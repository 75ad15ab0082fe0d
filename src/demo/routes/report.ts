import { requireScope } from '../gates/authenticate.ts';
import { accessReport } from '../reportAccess.ts';
import type { DemoApp, DemoState } from '../state.ts';

/** `GET /reports/{report_id}`: one Report object; a retired id leads to the survivor (ONE-1, RID-1). */
export function addReport(api: DemoApp, state: DemoState): void {
  api.get('/reports/:report_id', requireScope('reports:read'), async (c) =>
    c.json(await state.wire.object(accessReport(state, c.env.exchange, c.req.param('report_id')))),
  );
}
