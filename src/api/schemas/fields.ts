import { l10n } from '../../base/l10n.ts';

/** How a metadata column's value reads once typed. In `metadata` itself every value is a string (CNV-4). */
export type ColumnType = 'string' | 'integer' | 'float' | 'boolean' | 'date';

/** How a field reads: as a column, or as a field without one. `year` may be a two-year string (FY-3). */
export type FieldType = ColumnType | 'timestamp' | 'year' | 'open';

/** The three groups of the metadata dictionary: 16, 12 and 22 columns (COL-1). */
export type ColumnGroup = 'report' | 'company' | 'disclosure';

/** Where a field is shown: with the columns, with those that only the API has, or in a rename's history (RID-2). */
export type FieldGroup = ColumnGroup | 'api' | 'history';

interface FieldLine<T extends FieldType = FieldType, C extends string | null = string | null> {
  readonly type: T;
  readonly column: C;
  readonly label: string;
  readonly isCode?: true;
}

function column<const C extends string, const T extends ColumnType>(name: C, type: T, label: string): FieldLine<T, C> {
  return { type, column: name, label };
}

function text<const C extends string>(name: C, label: string) {
  return column(name, 'string', label);
}

/** A text that is written like code, character by character. */
function code<const C extends string>(name: C, label: string): FieldLine<'string', C> {
  return { ...text(name, label), isCode: true };
}

/** A three-valued column (CNV-2). */
function fact<const C extends string>(name: C, label: string) {
  return column(name, 'boolean', label);
}

function apiOnly<const T extends FieldType>(type: T, label: string): FieldLine<T, null> {
  return { type, column: null, label };
}

/** Columns 1 to 16. */
const reportFields = {
  filename: code('filename', l10n.later('File name')),
  company_name: text('company', l10n.later('Company')),
  report_title: text('title', l10n.later('Title')),
  /** Cover year; 0 means undated (FY-2). */
  report_year: column('year', 'integer', l10n.later('Cover year')),
  report_type: text('type', l10n.later('Type')),
  report_class: text('class', l10n.later('Class')),
  /** One ISO 639-1 code, or two for a bilingual report, in whatever separation they came (CNV-6). */
  report_lang: text('language', l10n.later('Language')),
  report_pages: column('pages', 'integer', l10n.later('Pages')),
  /** Megabytes. */
  report_filesize: column('filesize', 'float', l10n.later('File size')),
  /** YYYY, YYYY-MM or YYYY-MM-DD (CNV-5). */
  report_pubdate_iso: text('publication_date', l10n.later('Published')),
  period_start_date: column('period_start', 'date', l10n.later('Period start')),
  period_end_date: column('period_end', 'date', l10n.later('Period end')),
  fiscal_year_label: text('fiscal_year', l10n.later('Fiscal year label')),
  edition_number: column('edition', 'integer', l10n.later('Edition')),
  report_key: code('report_key', l10n.later('Report key')),
  content_sha256: code('sha256', 'SHA-256'),
};

/** Columns 17 to 28. */
const companyFields = {
  company_key: code('company_key', l10n.later('Company key')),
  company_ticker: code('ticker', l10n.later('Ticker')),
  company_mic: code('mic', l10n.later('Market (MIC)')),
  company_exchange: text('exchange', l10n.later('Exchange')),
  company_country: text('country', l10n.later('Country')),
  company_sector: text('sector', l10n.later('Sector')),
  company_industry: text('industry', l10n.later('Industry')),
  nace_code: code('nace_code', l10n.later('NACE code')),
  naics_code: code('naics_code', l10n.later('NAICS code')),
  company_isin: code('isin', 'ISIN'),
  company_lei: code('lei', 'LEI'),
  company_figi: code('figi', 'FIGI'),
};

/** Columns 29 to 50. */
const disclosureFields = {
  standards_gri: fact('std_gri', l10n.later('GRI Standards')),
  gri_level: text('gri_level', l10n.later('GRI level')),
  standards_sasb: fact('std_sasb', 'SASB'),
  standards_tcfd: fact('std_tcfd', 'TCFD'),
  standards_issb: fact('std_issb', 'ISSB'),
  standards_esrs: fact('std_esrs', 'ESRS'),
  standards_integrated: fact('std_integrated', 'Integrated Reporting'),
  standards_ghg_protocol: fact('std_ghg_protocol', 'GHG Protocol'),
  standards_eu_taxonomy: fact('std_eu_taxonomy', l10n.later('EU Taxonomy')),
  standards_ungp: fact('std_ungp', l10n.later('UN Guiding Principles')),
  standards_cdp: fact('std_cdp', 'CDP'),
  standards_ungc: fact('std_ungc', l10n.later('UN Global Compact')),
  standards_sbti: fact('std_sbti', 'SBTi'),
  sbti_status: text('sbti_status', l10n.later('SBTi status')),
  sdg_alignment: text('sdg_goals', l10n.later('SDG goals')),
  has_materiality_assessment: fact('materiality_assessment', l10n.later('Materiality assessment')),
  has_materiality_matrix: fact('materiality_matrix', l10n.later('Materiality matrix')),
  assurance_provider: text('assurance_provider', l10n.later('Assurance provider')),
  independent_assurance_report_included: fact('assurance_statement', l10n.later('Assurance statement included')),
  assurance_level: text('assurance_level', l10n.later('Assurance level')),
  assurance_standard: text('assurance_standard', l10n.later('Assurance standard')),
  assurance_scope: text('assurance_scope', l10n.later('Assurance scope')),
};

const meanings: Readonly<Record<ColumnName, string>> = {
  filename: l10n.later('The name under which the service keeps the PDF.'),
  company: l10n.later('Standardized name of the company.'),
  title: l10n.later('The title printed on the cover. Partial documents are marked (Extract) or (Chapter).'),
  year: l10n.later('The year on the cover. It can differ from the fiscal year; 0 means undated.'),
  type: l10n.later(
    'Report type code: SR, IR, AR2 and AR1 are the core types, every other code is a specialty disclosure.',
  ),
  class: l10n.later(
    'D standalone sustainability report, E disclosure inside a larger report, S specialized document, F annual report without substantive sustainability content.',
  ),
  language: l10n.later('ISO 639-1 code; two codes for a bilingual report.'),
  pages: l10n.later('Number of pages of the PDF.'),
  filesize: l10n.later('Size of the PDF in megabytes.'),
  publication_date: l10n.later('Publication date at the precision the report states: year, month or day.'),
  period_start: l10n.later('First day of the reporting period.'),
  period_end: l10n.later('Last day of the reporting period.'),
  fiscal_year: l10n.later("The company's own name for its fiscal year: a year or a span of two."),
  edition: l10n.later('Edition number, where the report states one.'),
  report_key: l10n.later('Company key, cover year and type; the year in it is the cover year, not the fiscal year.'),
  sha256: l10n.later('SHA-256 of the PDF, 64 hexadecimal characters. It tells whether a PDF has changed.'),
  company_key: l10n.later('Market and ticker of the primary listing, or UNLT and a name for an unlisted company.'),
  ticker: l10n.later('Ticker of the primary listing.'),
  mic: l10n.later('ISO 10383 code of the market of the primary listing.'),
  exchange: l10n.later('Name of the exchange of the primary listing.'),
  country: l10n.later('Country of headquarters.'),
  sector: l10n.later("Sector in the service's own classification."),
  industry: l10n.later('Industry, one level below the sector.'),
  nace_code: l10n.later('NACE Rev. 2.1 division, two digits.'),
  naics_code: l10n.later('NAICS code, two to six digits.'),
  isin: l10n.later('International securities identifier. Withheld for some issuers; use the LEI or FIGI then.'),
  lei: l10n.later('ISO 17442 legal entity identifier.'),
  figi: l10n.later('Share-class FIGI.'),
  std_gri: l10n.later('The report applies the GRI Standards; derived from the GRI level.'),
  gri_level: l10n.later('How far the report adheres to GRI: in accordance, referenced or not applied.'),
  std_sasb: l10n.later('The report applies the SASB Standards.'),
  std_tcfd: l10n.later('The report follows the TCFD recommendations.'),
  std_issb: l10n.later('The report is prepared against IFRS S1 or S2.'),
  std_esrs: l10n.later('The report answers ESRS or CSRD requirements.'),
  std_integrated: l10n.later('The report follows the Integrated Reporting Framework.'),
  std_ghg_protocol: l10n.later('Emissions are measured by the GHG Protocol.'),
  std_eu_taxonomy: l10n.later('The report discloses against the EU Taxonomy.'),
  std_ungp: l10n.later('The report refers to the UN Guiding Principles on Business and Human Rights.'),
  std_cdp: l10n.later('The report mentions taking part in CDP, or a CDP score.'),
  std_ungc: l10n.later('The report mentions the UN Global Compact.'),
  std_sbti: l10n.later(
    'The company has a relationship with the Science Based Targets initiative; derived from the SBTi status.',
  ),
  sbti_status: l10n.later('Targets set, committed, commitment removed or no relationship.'),
  sdg_goals: l10n.later('Numbers of the Sustainable Development Goals the report names, separated by semicolons.'),
  materiality_assessment: l10n.later('The report describes a materiality assessment.'),
  materiality_matrix: l10n.later('The report shows a materiality matrix.'),
  assurance_provider: l10n.later('Who gave assurance; several are separated by semicolons.'),
  assurance_statement: l10n.later("The practitioner's own statement is reproduced in the report."),
  assurance_level: l10n.later('Limited or reasonable assurance.'),
  assurance_standard: l10n.later('Short code of the standard the assurance follows.'),
  assurance_scope: l10n.later('What the assurance covers, derived from the metrics that the statement names.'),
};

/** Fields that no column shows (RPT-1). */
const apiFields = {
  /** Primary key everywhere (RID-1); a positive safe integer. */
  report_id: apiOnly('integer', l10n.later('Report ID')),
  has_file: apiOnly('boolean', l10n.later('Has a PDF')),
  download_path: apiOnly('open', l10n.later('Download path')),
  formats: apiOnly('open', l10n.later('Formats')),
  /** Timestamps, UTC, ISO 8601. */
  created_at: apiOnly('timestamp', l10n.later('Created')),
  updated_at: apiOnly('timestamp', l10n.later('Updated')),
  report_hash: apiOnly('open', l10n.later('Report hash')),
  document_scope: apiOnly('open', l10n.later('Document scope')),
  /** A year, or on old records a two-year string such as `2018/2019` or `2018-19` (FY-3); use `fiscalYearOf`. */
  report_fcyear: apiOnly('year', l10n.later('Fiscal year covered')),
  report_period: apiOnly('open', l10n.later('Report period')),
  report_pubdate: apiOnly('date', l10n.later('Publication day')),
  report_edition: apiOnly('string', l10n.later('Edition (text)')),
  report_assurance: apiOnly('string', l10n.later('Assurance (API)')),
};

/** Set only when the report was asked for by an id or key that a rename or merge retired (RID-2). */
const historyFields = {
  requested_legacy_report_key: apiOnly('string', l10n.later('Requested key')),
  requested_legacy_report_id: apiOnly('integer', l10n.later('Requested ID')),
  canonical_report_key: apiOnly('string', l10n.later('Current key')),
  canonical_report_id: apiOnly('integer', l10n.later('Current ID')),
};

const table = { ...reportFields, ...companyFields, ...disclosureFields, ...apiFields, ...historyFields };
/** The table itself, for types that follow from it. */
export type FieldTable = typeof table;

export type FieldName = keyof FieldTable;

export type ColumnName = NonNullable<FieldTable[FieldName]['column']>;

/** Name of a typed field that is true, false or undetermined (CNV-2). */
export type TriStateField = {
  [Name in FieldName]: FieldTable[Name]['type'] extends 'boolean' ? Name : never;
}[FieldName];

/** One typed field of the Report object (RPT-1), and the metadata column that holds the same fact, if there is one. */
export interface Field {
  readonly apiField: FieldName;
  /** Name of the column; null for fields beside the 50, as are number and meaning. */
  readonly name: ColumnName | null;
  /** Position in the dictionary, 1 to 50; also the order of a bulk delivery file. */
  readonly number: number | null;
  readonly type: FieldType;
  readonly group: FieldGroup;
  readonly isCode: boolean;
  readonly label: string;
  readonly meaning: string | null;
  /** The same in English, as a service with these very words sends it. */
  readonly meaningAsTold: string | null;
}

/** One of the 50 metadata columns (COL-1). */
export interface Column extends Field {
  readonly name: ColumnName;
  readonly number: number;
  readonly type: ColumnType;
  readonly group: ColumnGroup;
  readonly meaning: string;
  readonly meaningAsTold: string;
}

/** Version of the dictionary that the built-in copy is (COL-1). */
export const columnsSchemaVersion = 'V3';

/** Every typed field of a report; schema, store, demo, export and panels derive from it. The 50 columns come first. */
export const fields: readonly Field[] = [
  ...inGroup('report', 1, reportFields),
  ...inGroup('company', 17, companyFields),
  ...inGroup('disclosure', 29, disclosureFields),
  ...inGroup('api', null, apiFields),
  ...inGroup('history', null, historyFields),
];

function inGroup(group: FieldGroup, first: number | null, entries: Readonly<Record<string, FieldLine>>): Field[] {
  return Object.entries(entries).map(([apiField, { column: name, type, isCode = false, label }], index) => {
    const meaning = name === null ? null : meanings[name as ColumnName];
    return {
      apiField: apiField as FieldName,
      name: name as ColumnName | null,
      number: first === null ? null : first + index,
      ...{ type, group, isCode },
      get label() {
        return l10n.word(label);
      },
      get meaning() {
        return meaning === null ? null : l10n.word(meaning);
      },
      meaningAsTold: meaning,
    };
  });
}

/** The 50 columns in dictionary order: the built-in copy that serves while `/meta/schema` is out of reach (COL-1). */
export const columns: readonly Column[] = fields.filter((field): field is Column => field.number !== null);

const groupLabels: Readonly<Record<FieldGroup, string>> = {
  report: l10n.later('Report'),
  company: l10n.later('Company'),
  disclosure: l10n.later('Standards, materiality and assurance'),
  api: l10n.later('API-only fields'),
  history: l10n.later('Renamed or merged'),
};

export function fieldGroupLabel(group: FieldGroup): string {
  return l10n.word(groupLabels[group]);
}

/** The fiscal year a report is filed under: the first of two (FY-3), else the cover year (FY-2); null if undated. */
export function fiscalYearOf(report: {
  readonly report_fcyear: number | string | null;
  readonly report_year: number | null;
}): number | null {
  const stated = report.report_fcyear;
  if (typeof stated === 'number') return stated > 0 ? stated : null;
  const first = stated === null ? undefined : /\d{4}/.exec(stated)?.[0];
  if (first !== undefined && Number(first) > 0) return Number(first);
  return report.report_year !== null && report.report_year > 0 ? report.report_year : null;
}
