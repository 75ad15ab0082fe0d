import { reportTypeNames } from '../../api/schemas/reportTypes.ts';

/** True for a code that this version of the extension knows, and that is therefore our own word. */
export function isKnownReportType(code: string | null): code is string {
  return code !== null && Object.hasOwn(reportTypeNames, code);
}
