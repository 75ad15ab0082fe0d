import { requireScope } from '../gates/authenticate.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';

/** `GET /meta/usage`: the key's requests and downloads this calendar month (LIM-2). */
export function addUsage(api: DemoApp, { usage, reading }: DemoState): void {
  api.get('/meta/usage', requireScope('meta:read'), (c) => {
    const { month, requests, downloads } = usage.of(keyOf(c.env.exchange).label);
    return c.json(reading.usage(month, requests, downloads) as object);
  });
}
