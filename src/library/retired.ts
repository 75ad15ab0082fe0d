import type { Report } from '../api/schemas/report.ts';

/** The ids and keys that lead to a report since a merge or rename (RID-1, RID-2). */
export interface RetiredNames {
  readonly ids: readonly number[];
  readonly keys: readonly string[];
}

/**
 * Takes from an answer what only says how it was asked for: a report fetched by a retired id or key names both, while
 * in a list the same report does not. What is stored is the report as a list has it.
 */
export function withoutRequest(report: Report): { readonly report: Report; readonly retired: RetiredNames } {
  const {
    requested_legacy_report_id: id,
    requested_legacy_report_key: key,
    canonical_report_id: canonicalId,
    canonical_report_key: canonicalKey,
  } = report;
  if (id === null && key === null && canonicalId === null && canonicalKey === null) {
    return { report, retired: none };
  }
  return {
    report: {
      ...report,
      report_id: canonicalId ?? report.report_id,
      requested_legacy_report_id: null,
      requested_legacy_report_key: null,
      canonical_report_id: null,
      canonical_report_key: null,
    },
    retired: {
      ids: id === null || id === (canonicalId ?? report.report_id) ? [] : [id],
      keys: key === null || key === report.report_key ? [] : [key],
    },
  };
}

const none: RetiredNames = { ids: [], keys: [] };
