/** The id of the report that an unreadable record seems to be about; null when even that can't be read. */
export function quarantinedId(raw: unknown): number | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const id = 'report_id' in raw ? raw.report_id : undefined;
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id;
  return 'report' in raw ? quarantinedId(raw.report) : null;
}
