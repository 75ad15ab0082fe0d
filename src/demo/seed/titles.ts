import { reportTypeName } from '../../api/schemas/reportTypes.ts';

/** Titles by language and report type; `#` stands for the year on the cover. */
const patterns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    SR: 'Sustainability Report #',
    IR: 'Integrated Report #',
    AR2: 'Annual Report and Sustainability Statement #',
    AR1: 'Annual Report #',
    CGOV: 'Corporate Governance Report #',
    MSST: 'Modern Slavery Statement #',
    TCFD: 'Climate-related Financial Disclosures #',
    GHGR: 'Greenhouse Gas Emissions Report #',
    GRIX: 'GRI Content Index #',
    CTRP: 'Climate Transition Plan #',
    STEW: 'Stewardship Report #',
    BNDI: 'Green Bond Impact Report #',
    CLIM: 'Climate Report #',
    HRTS: 'Human Rights Report #',
    EITI: 'Report on Payments to Governments #',
    GPGR: 'Gender Pay Gap Report #',
    CRPL: 'Carbon Reduction Plan #',
    DEIR: 'Diversity, Equity and Inclusion Report #',
    SASB: 'SASB Index #',
    GBFW: 'Green Bond Framework',
    SCTR: 'Supply Chain Transparency Report #',
    SPOP: 'Second Party Opinion on the Green Bond Framework',
    TNFD: 'Nature and Biodiversity Report #',
    BNDA: 'Bond Allocation Report #',
    UNGC: 'Communication on Progress #',
    HSAF: 'Health and Safety Report #',
    CODE: 'Code of Conduct',
    WATR: 'Water Stewardship Report #',
    SLBF: 'Sustainability-Linked Bond Framework',
    PRIT: 'PRI Transparency Report #',
    EMAS: 'Environmental Statement #',
    ESGD: 'ESG Data Book #',
    CBEN: 'Community Benefit Report #',
  },
  de: {
    SR: 'Nachhaltigkeitsbericht #',
    IR: 'Integrierter Geschäftsbericht #',
    AR2: 'Geschäftsbericht # mit nichtfinanzieller Konzernerklärung',
    AR1: 'Geschäftsbericht #',
    CGOV: 'Erklärung zur Unternehmensführung #',
    CLIM: 'Klimabericht #',
    GPGR: 'Bericht zur Entgeltgleichheit #',
    CRPL: 'Plan zur Minderung der Treibhausgasemissionen #',
    SCTR: 'Bericht nach dem Lieferkettensorgfaltspflichtengesetz #',
    CODE: 'Verhaltenskodex',
    EMAS: 'Umwelterklärung #',
  },
  fr: {
    SR: 'Rapport de développement durable #',
    AR2: 'Document d’enregistrement universel #',
    AR1: 'Rapport annuel #',
    TCFD: 'Rapport climat selon les recommandations de la TCFD #',
    GPGR: 'Index de l’égalité professionnelle #',
    SLBF: 'Cadre de financement lié au développement durable',
    BNDA: 'Rapport d’allocation des obligations #',
    CTRP: 'Plan de transition climatique #',
  },
  nl: {
    SR: 'Duurzaamheidsverslag #',
    AR2: 'Jaarverslag # met duurzaamheidsverklaring',
    CLIM: 'Klimaatrapport #',
    WATR: 'Verslag over waterbeheer #',
    CODE: 'Gedragscode',
  },
  sv: {
    SR: 'Hållbarhetsrapport #',
    AR2: 'Års- och hållbarhetsredovisning #',
    BNDI: 'Rapport om gröna obligationer #',
    TNFD: 'Rapport om natur och biologisk mångfald #',
  },
  pt: {
    SR: 'Relatório de Sustentabilidade #',
    IR: 'Relatório Integrado #',
    AR1: 'Relatório Anual da Administração #',
    WATR: 'Relatório de Gestão da Água #',
    GRIX: 'Sumário de Conteúdo da GRI #',
    GBFW: 'Estrutura para Títulos Verdes',
    BNDI: 'Relatório de Impacto dos Títulos Verdes #',
  },
  es: {
    AR1: 'Informe anual #',
    IR: 'Informe integrado #',
    CGOV: 'Informe anual de gobierno corporativo #',
    GBFW: 'Marco de bonos verdes',
    BNDI: 'Informe de impacto de los bonos verdes #',
    TNFD: 'Informe de naturaleza y biodiversidad #',
  },
  it: {
    AR1: 'Relazione finanziaria annuale #',
    SR: 'Dichiarazione non finanziaria #',
    AR2: 'Relazione annuale con rendicontazione di sostenibilità #',
    CGOV: 'Relazione sul governo societario #',
    HSAF: 'Rapporto su salute e sicurezza #',
  },
  ja: { IR: '統合報告書 #', SR: 'サステナビリティレポート #' },
  ko: { CGOV: '기업지배구조 보고서 #' },
  ar: { CGOV: 'تقرير حوكمة الشركة #' },
};

/**
 * The title of a report in its language; both languages for a bilingual one, English where no pattern is at hand.
 * @param year what the cover says: a year, a span, or an empty string on undated documents.
 */
export function titleOf(type: string, lang: string, year: string): string {
  const titles = lang.split(';').map((language) => titleIn(type, language, year));
  return [...new Set(titles)].join(' / ');
}

export function titleIn(type: string, language: string, year: string): string {
  const pattern = patterns[language]?.[type] ?? patterns.en?.[type] ?? `${reportTypeName(type)} #`;
  return pattern.replace('#', year).trim();
}
