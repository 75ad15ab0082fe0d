/** The ISO 639-1 codes in a `report_lang`, however a bilingual report separates its two (CNV-6). */
export function languagesOf(lang: string | null): readonly string[] {
  return lang === null ? [] : [...new Set(lang.toLowerCase().match(/[a-z]+/g) ?? [])];
}
