/** Path prefix of every endpoint; it is part of the base URL. */
export const apiPrefix = '/api/v2';

const patterns = {
  'GET /health': /^\/api\/v2\/health$/,
  'GET /entitlements': /^\/api\/v2\/entitlements$/,
  'GET /watchlist': /^\/api\/v2\/watchlist$/,
  'POST /companies/resolve': /^\/api\/v2\/companies\/resolve$/,
  'GET /reports': /^\/api\/v2\/reports$/,
  'GET /reports/changes': /^\/api\/v2\/reports\/changes$/,
  'POST /reports/lookup': /^\/api\/v2\/reports\/lookup$/,
  'GET /reports/{report_id}': /^\/api\/v2\/reports\/[^/]+$/,
  'GET /reports/{report_id}/download': /^\/api\/v2\/reports\/[^/]+\/download$/,
  'GET /meta/schema': /^\/api\/v2\/meta\/schema$/,
  'GET /meta/field-guide.pdf': /^\/api\/v2\/meta\/field-guide\.pdf$/,
  'GET /meta/frameworks': /^\/api\/v2\/meta\/frameworks$/,
  'GET /meta/usage': /^\/api\/v2\/meta\/usage$/,
  /** Where signed links lead; no endpoint of the interface. */
  'GET /files': /^\/files\//,
} as const;

/** Template of one of the thirteen endpoints, or `GET /files` for a signed link. */
export type RouteName = keyof typeof patterns;

export const routeNames = Object.keys(patterns) as readonly RouteName[];

/** The template that a request belongs to. */
export function routeNameOf(method: string, path: string): RouteName | undefined {
  return routeNames.find((name) => name.startsWith(`${method} `) && patterns[name].test(path));
}
