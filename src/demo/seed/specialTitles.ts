/** Titles that follow no pattern: a very long one, and one of a type that the interface does not know. */
const titles: Readonly<Record<string, string>> = {
  XETR_ALBM_2024_AR2:
    'Geschäftsbericht der Altenbruch Maschinenbau- und Anlagentechnik Aktiengesellschaft einschließlich der ' +
    'zusammengefassten nichtfinanziellen Konzernerklärung gemäß §§ 315b und 315c in Verbindung mit §§ 289b bis 289e ' +
    'des Handelsgesetzbuches und der Angaben nach den Europäischen Standards für die Nachhaltigkeitsberichterstattung ' +
    '(ESRS) für das Geschäftsjahr vom 1. Oktober 2023 bis zum 30. September 2024',
  XNAS_QLMK_2025_NXTG: 'Next Generation Disclosure 2025: Digital Product Footprints',
};

export function specialTitleOf(reportKey: string): string | null {
  return titles[reportKey] ?? null;
}
