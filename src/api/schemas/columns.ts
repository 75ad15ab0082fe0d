import { l10n } from '../../base/l10n.ts';
/** How a metadata column's value reads once typed. In `metadata` itself every value is a string (CNV-4). */
export type ColumnType = 'string' | 'integer' | 'float' | 'boolean' | 'date';

/** The three groups of the metadata dictionary: 16, 12 and 22 columns (COL-1). */
export type ColumnGroup = 'report' | 'company' | 'disclosure';

/** One of the 50 metadata columns (COL-1). */
export interface Column {
  /** Position in the dictionary, 1 to 50; also the order of a bulk delivery file. */
  readonly number: number;
  readonly name: ColumnName;
  /** The typed field of the Report object that holds the same fact. */
  readonly apiField: string;
  readonly type: ColumnType;
  readonly group: ColumnGroup;
  /** What a person calls it. */
  readonly label: string;
  /** What it means, in one sentence or two. */
  readonly meaning: string;
  /** The same in English, as a service tells it that has these very words. */
  readonly meaningAsTold: string;
}

type Row = readonly [name: string, apiField: string, type: ColumnType, label: string, meaning: string];

const reportRows = [
  [
    'filename',
    'filename',
    'string',
    l10n.later('File name'),
    l10n.later('The name under which the service keeps the PDF.'),
  ],
  ['company', 'company_name', 'string', l10n.later('Company'), l10n.later('Standardised name of the company.')],
  [
    'title',
    'report_title',
    'string',
    l10n.later('Title'),
    l10n.later('The title printed on the cover. Partial documents are marked (Extract) or (Chapter).'),
  ],
  [
    'year',
    'report_year',
    'integer',
    l10n.later('Cover year'),
    l10n.later('The year on the cover. It can differ from the fiscal year; 0 means undated.'),
  ],
  [
    'type',
    'report_type',
    'string',
    l10n.later('Type'),
    l10n.later('Report type code: SR, IR, AR2 and AR1 are the core types, every other code is a specialty disclosure.'),
  ],
  [
    'class',
    'report_class',
    'string',
    l10n.later('Class'),
    l10n.later(
      'D standalone sustainability report, E disclosure inside a larger report, S specialised document, F annual report without substantive sustainability content.',
    ),
  ],
  [
    'language',
    'report_lang',
    'string',
    l10n.later('Language'),
    l10n.later('ISO 639-1 code; two codes for a bilingual report.'),
  ],
  ['pages', 'report_pages', 'integer', l10n.later('Pages'), l10n.later('Number of pages of the PDF.')],
  ['filesize', 'report_filesize', 'float', l10n.later('File size'), l10n.later('Size of the PDF in megabytes.')],
  [
    'publication_date',
    'report_pubdate_iso',
    'string',
    l10n.later('Published'),
    l10n.later('Publication date at the precision the report states: year, month or day.'),
  ],
  [
    'period_start',
    'period_start_date',
    'date',
    l10n.later('Period start'),
    l10n.later('First day of the reporting period.'),
  ],
  ['period_end', 'period_end_date', 'date', l10n.later('Period end'), l10n.later('Last day of the reporting period.')],
  [
    'fiscal_year',
    'fiscal_year_label',
    'string',
    l10n.later('Fiscal year label'),
    l10n.later("The company's own name for its fiscal year: a year or a span of two."),
  ],
  [
    'edition',
    'edition_number',
    'integer',
    l10n.later('Edition'),
    l10n.later('Edition number, where the report states one.'),
  ],
  [
    'report_key',
    'report_key',
    'string',
    l10n.later('Report key'),
    l10n.later('Company key, cover year and type; the year in it is the cover year, not the fiscal year.'),
  ],
  [
    'sha256',
    'content_sha256',
    'string',
    'SHA-256',
    l10n.later('SHA-256 of the PDF, 64 hexadecimal characters. It tells whether a PDF has changed.'),
  ],
] as const satisfies readonly Row[];

const companyRows = [
  [
    'company_key',
    'company_key',
    'string',
    l10n.later('Company key'),
    l10n.later('Market and ticker of the primary listing, or UNLT and a name for an unlisted company.'),
  ],
  ['ticker', 'company_ticker', 'string', l10n.later('Ticker'), l10n.later('Ticker of the primary listing.')],
  [
    'mic',
    'company_mic',
    'string',
    l10n.later('Market (MIC)'),
    l10n.later('ISO 10383 code of the market of the primary listing.'),
  ],
  [
    'exchange',
    'company_exchange',
    'string',
    l10n.later('Exchange'),
    l10n.later('Name of the exchange of the primary listing.'),
  ],
  ['country', 'company_country', 'string', l10n.later('Country'), l10n.later('Country of headquarters.')],
  [
    'sector',
    'company_sector',
    'string',
    l10n.later('Sector'),
    l10n.later("Sector in the service's own classification."),
  ],
  [
    'industry',
    'company_industry',
    'string',
    l10n.later('Industry'),
    l10n.later('Industry, one level below the sector.'),
  ],
  ['nace_code', 'nace_code', 'string', l10n.later('NACE code'), l10n.later('NACE Rev. 2.1 division, two digits.')],
  ['naics_code', 'naics_code', 'string', l10n.later('NAICS code'), l10n.later('NAICS code, two to six digits.')],
  [
    'isin',
    'company_isin',
    'string',
    'ISIN',
    l10n.later('International securities identifier. Withheld for some issuers; use the LEI or FIGI then.'),
  ],
  ['lei', 'company_lei', 'string', 'LEI', l10n.later('ISO 17442 legal entity identifier.')],
  ['figi', 'company_figi', 'string', 'FIGI', l10n.later('Share-class FIGI.')],
] as const satisfies readonly Row[];

const disclosureRows = [
  [
    'std_gri',
    'standards_gri',
    'boolean',
    l10n.later('GRI Standards'),
    l10n.later('The report applies the GRI Standards; derived from the GRI level.'),
  ],
  [
    'gri_level',
    'gri_level',
    'string',
    l10n.later('GRI level'),
    l10n.later('How far the report adheres to GRI: in accordance, referenced or not applied.'),
  ],
  ['std_sasb', 'standards_sasb', 'boolean', 'SASB', l10n.later('The report applies the SASB Standards.')],
  ['std_tcfd', 'standards_tcfd', 'boolean', 'TCFD', l10n.later('The report follows the TCFD recommendations.')],
  ['std_issb', 'standards_issb', 'boolean', 'ISSB', l10n.later('The report is prepared against IFRS S1 or S2.')],
  ['std_esrs', 'standards_esrs', 'boolean', 'ESRS', l10n.later('The report answers ESRS or CSRD requirements.')],
  [
    'std_integrated',
    'standards_integrated',
    'boolean',
    'Integrated Reporting',
    l10n.later('The report follows the Integrated Reporting Framework.'),
  ],
  [
    'std_ghg_protocol',
    'standards_ghg_protocol',
    'boolean',
    'GHG Protocol',
    l10n.later('Emissions are measured by the GHG Protocol.'),
  ],
  [
    'std_eu_taxonomy',
    'standards_eu_taxonomy',
    'boolean',
    l10n.later('EU Taxonomy'),
    l10n.later('The report discloses against the EU Taxonomy.'),
  ],
  [
    'std_ungp',
    'standards_ungp',
    'boolean',
    l10n.later('UN Guiding Principles'),
    l10n.later('The report refers to the UN Guiding Principles on Business and Human Rights.'),
  ],
  ['std_cdp', 'standards_cdp', 'boolean', 'CDP', l10n.later('The report mentions taking part in CDP, or a CDP score.')],
  [
    'std_ungc',
    'standards_ungc',
    'boolean',
    'UN Global Compact',
    l10n.later('The report mentions the UN Global Compact.'),
  ],
  [
    'std_sbti',
    'standards_sbti',
    'boolean',
    'SBTi',
    l10n.later(
      'The company has a relationship with the Science Based Targets initiative; derived from the SBTi status.',
    ),
  ],
  [
    'sbti_status',
    'sbti_status',
    'string',
    l10n.later('SBTi status'),
    l10n.later('Targets set, committed, commitment removed or no relationship.'),
  ],
  [
    'sdg_goals',
    'sdg_alignment',
    'string',
    l10n.later('SDG goals'),
    l10n.later('Numbers of the Sustainable Development Goals the report names, separated by semicolons.'),
  ],
  [
    'materiality_assessment',
    'has_materiality_assessment',
    'boolean',
    l10n.later('Materiality assessment'),
    l10n.later('The report describes a materiality assessment.'),
  ],
  [
    'materiality_matrix',
    'has_materiality_matrix',
    'boolean',
    l10n.later('Materiality matrix'),
    l10n.later('The report shows a materiality matrix.'),
  ],
  [
    'assurance_provider',
    'assurance_provider',
    'string',
    l10n.later('Assurance provider'),
    l10n.later('Who gave assurance; several are separated by semicolons.'),
  ],
  [
    'assurance_statement',
    'independent_assurance_report_included',
    'boolean',
    l10n.later('Assurance statement included'),
    l10n.later("The practitioner's own statement is reproduced in the report."),
  ],
  [
    'assurance_level',
    'assurance_level',
    'string',
    l10n.later('Assurance level'),
    l10n.later('Limited or reasonable assurance.'),
  ],
  [
    'assurance_standard',
    'assurance_standard',
    'string',
    l10n.later('Assurance standard'),
    l10n.later('Short code of the standard the assurance follows.'),
  ],
  [
    'assurance_scope',
    'assurance_scope',
    'string',
    l10n.later('Assurance scope'),
    l10n.later('What the assurance covers, derived from the metrics that the statement names.'),
  ],
] as const satisfies readonly Row[];

/** Name of a metadata column. */
export type ColumnName =
  | (typeof reportRows)[number][0]
  | (typeof companyRows)[number][0]
  | (typeof disclosureRows)[number][0];

/** Version of the dictionary that the built-in copy is (COL-1). */
export const columnsSchemaVersion = 'V3';

/** The 50 columns in dictionary order: the built-in copy that serves while `/meta/schema` is out of reach (COL-1). */
export const columns: readonly Column[] = [
  ...reportRows.map((row) => ({ row, group: 'report' as const })),
  ...companyRows.map((row) => ({ row, group: 'company' as const })),
  ...disclosureRows.map((row) => ({ row, group: 'disclosure' as const })),
].map(({ row: [name, apiField, type, label, meaning], group }, index) => ({
  number: index + 1,
  name,
  apiField,
  type,
  group,
  get label() {
    return l10n.word(label);
  },
  get meaning() {
    return l10n.word(meaning);
  },
  meaningAsTold: meaning,
}));

/** What a person calls the three groups. */
export function columnGroupLabel(group: ColumnGroup): string {
  switch (group) {
    case 'report':
      return l10n.t('Report');
    case 'company':
      return l10n.t('Company');
    case 'disclosure':
      return l10n.t('Standards, materiality and assurance');
    default:
      return group satisfies never;
  }
}
