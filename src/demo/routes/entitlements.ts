import { type DemoApp, type DemoState, keyOf } from '../state.ts';

/** `GET /entitlements`: what the key may see (ENT-1). */
export function addEntitlements(api: DemoApp, _state: DemoState): void {
  api.get('/entitlements', (c) => {
    const { licence } = keyOf(c.env.exchange);
    return c.json({
      client_name: licence.clientName,
      full_access: licence.fullAccess,
      fcyear_start: licence.fcyearStart,
      fcyear_end: licence.fcyearEnd,
      report_types: licence.types && [...licence.types],
      watchlist_size: licence.companies.size,
    });
  });
}
