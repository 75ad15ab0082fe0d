import { wireReport } from '../test/unit/library/support/wireReports.ts';

/** The largest page of `GET /reports`. */
export const pageSize = 200;

/** Page number p (0, 1, …) of a catalog as its bytes, the same on any machine; 40 reports share a company. */
export function pageBytes(p: number, hasMore = true): Uint8Array<ArrayBuffer> {
  const data = Array.from({ length: pageSize }, (_, index) => wireReport(p * pageSize + index + 1));
  const page_info = { count: pageSize, has_more: hasMore, next_cursor: hasMore ? `cursor ${p + 1}` : null };
  return new Uint8Array(new TextEncoder().encode(JSON.stringify({ data, page_info })));
}
