import type { ReportPosition } from './reportQuery.ts';

/** Where a list of reports goes on, as an opaque text. */
export function writePosition(position: ReportPosition): string {
  return `${position.fy}.${position.report_id}`;
}

/** Reads it back; null, which begins anew, for a text that is none. */
export function readPosition(text: string): ReportPosition | null {
  const [fy, id, ...rest] = text.split('.').map(Number);
  if (fy === undefined || id === undefined || rest.length > 0) return null;
  return Number.isSafeInteger(fy) && Number.isSafeInteger(id) ? { fy, report_id: id } : null;
}

/** Where a list of companies goes on. */
export interface CompanyPosition {
  readonly newest: number;
  readonly sort_name: string;
  readonly id: number;
}

export function writeCompanyPosition(position: CompanyPosition): string {
  return JSON.stringify([position.newest, position.sort_name, position.id]);
}

export function readCompanyPosition(text: string): CompanyPosition | null {
  try {
    const parts: unknown = JSON.parse(text);
    if (!Array.isArray(parts)) return null;
    const [newest, name, id] = parts as unknown[];
    if (typeof newest !== 'number' || typeof name !== 'string' || typeof id !== 'number') return null;
    return { newest, sort_name: name, id };
  } catch {
    return null;
  }
}
