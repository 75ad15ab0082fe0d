import type { Reading } from './reading.ts';

/** The reading that the demo serves unless asked otherwise: flat objects, lists, full companies. */
export const plain: Reading = {
  name: 'plain',
  health: (version) => ({ status: 'ok', version }),
  watchlistItem: (company) => company,
  schema: (version, entries) => ({
    schema_version: version,
    fields: entries.map((each) => ({
      position: each.number,
      column: each.column,
      api_field: each.apiField,
      type: each.type,
      group: each.group,
      description: each.meaning,
      ...(each.values && { values: each.values }),
    })),
  }),
  frameworks: (list) => ({ frameworks: list.map(({ code, name }) => ({ code, name })) }),
  usage: (month, requests, downloads) => ({ month, requests, downloads }),
  fieldErrors: (fields) => fields.map(({ field, message }) => ({ field, message })),
  lookupMembers: ['report_keys', 'keys'],
  lookup: (outcomes) => ({
    results: outcomes.map(({ asked, found }) => ({
      report_key: asked,
      found: found !== null,
      report_id: found?.report_id ?? null,
      canonical_report_key: found && found.report_key !== asked ? found.report_key : null,
    })),
    matched_count: outcomes.filter(({ found }) => found !== null).length,
    unmatched_count: outcomes.filter(({ found }) => found === null).length,
  }),
  identifierType: (list) => list.slice(0, -1),
  languageSeparator: ';',
  formats: (hasFile) => (hasFile ? ['pdf'] : []),
  downloadPath: (reportId, hasFile) => (hasFile ? `/reports/${reportId}/download` : null),
  reportHash: (hex) => hex,
  documentScope: (scope) => scope,
  reportPeriod: (start, end) => (start && end ? `${start}/${end}` : null),
  lastPage: () => ({ next_cursor: null }),
  outsideStatus: 403,
};
