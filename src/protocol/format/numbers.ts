import { byteSize } from '../../base/words.ts';

/** A size that the service gives in megabytes. */
export function formatMegabytes(megabytes: number, locale: string): string {
  return byteSize(megabytes * 1e6, locale);
}

/** Bytes of a transfer under way. */
export function formatBytes(bytes: number, locale: string): string {
  return byteSize(bytes, locale);
}
