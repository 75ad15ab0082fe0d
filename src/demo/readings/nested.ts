import type { Reading } from './reading.ts';

/** A reading that wraps: companies in an object, maps instead of lists, numbers one level down. */
export const nested: Reading = {
  name: 'nested',
  health: (version) => ({ data: { healthy: true, service: { version } } }),
  watchlistItem: (company) => ({ added_at: '2024-01-01T00:00:00Z', company }),
  schema: (version, entries) => ({
    data: {
      version,
      columns: Object.fromEntries(
        entries.map((each) => [
          each.column,
          {
            number: each.number,
            field: each.apiField,
            data_type: each.type,
            section: each.group,
            definition: each.meaning,
            enum: each.values,
          },
        ]),
      ),
    },
  }),
  frameworks: (list) => ({ data: Object.fromEntries(list.map(({ code, name }) => [code, { label: name }])) }),
  usage: (month, requests, downloads) => ({
    period: { month },
    usage: { requests: { count: requests }, downloads: { count: downloads } },
  }),
  fieldErrors: (fields) => Object.fromEntries(fields.map(({ field, message }) => [field, [message]])),
  lookupMembers: ['report_keys', 'keys'],
  lookup: (outcomes) => ({
    data: outcomes.map(({ asked, found }) => ({
      requested_report_key: asked,
      matched: found !== null,
      report: found && { report_id: found.report_id, report_key: found.report_key },
    })),
  }),
  identifierType: (list) => (list === 'isins' ? 'isin' : `company_${list.slice(0, -1)}`),
  languageSeparator: ', ',
  formats: (hasFile) => (hasFile ? [{ format: 'pdf', content_type: 'application/pdf' }] : []),
  downloadPath: (reportId) => `/api/v2/reports/${reportId}/download`,
  reportHash: (hex) => ({ algorithm: 'sha256', value: hex }),
  documentScope: (scope) => ({ code: scope, partial: scope !== 'full' }),
  reportPeriod: (start, end) => ({ start, end }),
  lastPage: () => ({}),
  outsideStatus: 403,
};
