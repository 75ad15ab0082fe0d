/** The ISO 639-1 codes of a report, however they were separated (CNV-6). */
export function languageCodes(value: string): string[] {
  return value.split(/[\s;,|/+&]+/).filter((code) => code !== '');
}

/** Languages in words, e.g. `German and English`; a code that no one knows stays as it is. */
export function formatLanguages(value: string, locale: string): string {
  const names = new Intl.DisplayNames([locale], { type: 'language', fallback: 'code' });
  const words = languageCodes(value).map((code) => {
    try {
      return names.of(code) ?? code;
    } catch {
      return code;
    }
  });
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(words);
}
