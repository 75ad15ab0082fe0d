/** The later of two ISO 8601 timestamps as it was written; what is no time never counts. */
export function laterTime(a: string | null, b: string | null): string | null {
  if (a === null || Number.isNaN(Date.parse(a))) return b !== null && !Number.isNaN(Date.parse(b)) ? b : null;
  if (b === null || Number.isNaN(Date.parse(b))) return a;
  return Date.parse(b) > Date.parse(a) ? b : a;
}
