import { frameworkCodes } from '../frameworks.ts';
import { requireScope } from '../gates/authenticate.ts';
import type { DemoApp, DemoState } from '../state.ts';

/** `GET /meta/frameworks`: the codes of the framework filter (META-1). */
export function addFrameworks(api: DemoApp, { reading }: DemoState): void {
  const body = reading.frameworks(frameworkCodes) as object;
  api.get('/meta/frameworks', requireScope('meta:read'), (c) => c.json(body));
}
