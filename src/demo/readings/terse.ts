import type { Reading } from './reading.ts';

/** A reading that says as little as it can: bare keys, bare lists, one string per error. */
export const terse: Reading = {
  name: 'terse',
  health: () => 'ok',
  watchlistItem: (company) => company.company_key,
  schema: (_version, entries) =>
    entries.map((each) => ({ name: each.column, api_field: each.apiField, type: each.type, meaning: each.meaning })),
  frameworks: (list) => list.map(({ code }) => code),
  usage: (_month, requests, downloads) => ({ request_count: requests, download_count: downloads }),
  fieldErrors: (fields) => fields.map(({ field, message }) => `${field}: ${message}`),
  lookupMembers: ['report_keys', 'keys'],
  lookup: (outcomes) => Object.fromEntries(outcomes.map(({ asked, found }) => [asked, found?.report_id ?? null])),
  identifierType: (list) => list.slice(0, -1).toUpperCase().replace('ISIN', 'isin'),
  languageSeparator: '/',
  formats: () => 'pdf',
  downloadPath: () => null,
  reportHash: () => null,
  documentScope: (scope) => (scope === 'full' ? null : scope),
  reportPeriod: (_start, end) => end?.slice(0, 4) ?? null,
  lastPage: () => ({ next_cursor: '' }),
  outsideStatus: 404,
};
