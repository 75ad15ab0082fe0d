import { l10n } from '../../base/l10n.ts';
import { badRequest } from '../transport/problems.ts';

/** The path of one report. Throws `invalid` for what can't be a report_id: it would name another path. */
export function reportPath(reportId: number): string {
  if (Number.isSafeInteger(reportId) && reportId > 0) return `/reports/${reportId}`;
  throw badRequest(l10n.t('That is not a report id.'), l10n.t('A report id is a whole number above 0.'));
}
