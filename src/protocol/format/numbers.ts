/** Megabytes as the service states them (CNV-5), with as many digits as tell something. */
export function formatMegabytes(megabytes: number, locale: string): string {
  const digits = megabytes >= 100 ? 0 : megabytes >= 1 ? 1 : 2;
  const style = { maximumFractionDigits: digits } as const;
  if (megabytes > 0 && megabytes < 0.01) return '< 0.01 MB';
  return `${new Intl.NumberFormat(locale, style).format(megabytes)} MB`;
}

/** Bytes of a transfer under way, in megabytes. */
export function formatBytes(bytes: number, locale: string): string {
  const style = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
  return `${new Intl.NumberFormat(locale, style).format(bytes / 1_000_000)} MB`;
}
