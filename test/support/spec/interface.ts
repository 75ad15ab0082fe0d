/**
 * The interface as its text says it, typed in a second time for the tests: a slip in the product's own tables then meets
 * a reading that does not share it. Imports nothing of the product.
 */

/** The 50 metadata columns: number, column, API field, type. Groups follow from the numbers: 1–16, 17–28, 29–50. */
export const specColumns = [
  [1, 'filename', 'filename', 'string'],
  [2, 'company', 'company_name', 'string'],
  [3, 'title', 'report_title', 'string'],
  [4, 'year', 'report_year', 'integer'],
  [5, 'type', 'report_type', 'string'],
  [6, 'class', 'report_class', 'string'],
  [7, 'language', 'report_lang', 'string'],
  [8, 'pages', 'report_pages', 'integer'],
  [9, 'filesize', 'report_filesize', 'float'],
  [10, 'publication_date', 'report_pubdate_iso', 'string'],
  [11, 'period_start', 'period_start_date', 'date'],
  [12, 'period_end', 'period_end_date', 'date'],
  [13, 'fiscal_year', 'fiscal_year_label', 'string'],
  [14, 'edition', 'edition_number', 'integer'],
  [15, 'report_key', 'report_key', 'string'],
  [16, 'sha256', 'content_sha256', 'string'],
  [17, 'company_key', 'company_key', 'string'],
  [18, 'ticker', 'company_ticker', 'string'],
  [19, 'mic', 'company_mic', 'string'],
  [20, 'exchange', 'company_exchange', 'string'],
  [21, 'country', 'company_country', 'string'],
  [22, 'sector', 'company_sector', 'string'],
  [23, 'industry', 'company_industry', 'string'],
  [24, 'nace_code', 'nace_code', 'string'],
  [25, 'naics_code', 'naics_code', 'string'],
  [26, 'isin', 'company_isin', 'string'],
  [27, 'lei', 'company_lei', 'string'],
  [28, 'figi', 'company_figi', 'string'],
  [29, 'std_gri', 'standards_gri', 'boolean'],
  [30, 'gri_level', 'gri_level', 'string'],
  [31, 'std_sasb', 'standards_sasb', 'boolean'],
  [32, 'std_tcfd', 'standards_tcfd', 'boolean'],
  [33, 'std_issb', 'standards_issb', 'boolean'],
  [34, 'std_esrs', 'standards_esrs', 'boolean'],
  [35, 'std_integrated', 'standards_integrated', 'boolean'],
  [36, 'std_ghg_protocol', 'standards_ghg_protocol', 'boolean'],
  [37, 'std_eu_taxonomy', 'standards_eu_taxonomy', 'boolean'],
  [38, 'std_ungp', 'standards_ungp', 'boolean'],
  [39, 'std_cdp', 'standards_cdp', 'boolean'],
  [40, 'std_ungc', 'standards_ungc', 'boolean'],
  [41, 'std_sbti', 'standards_sbti', 'boolean'],
  [42, 'sbti_status', 'sbti_status', 'string'],
  [43, 'sdg_goals', 'sdg_alignment', 'string'],
  [44, 'materiality_assessment', 'has_materiality_assessment', 'boolean'],
  [45, 'materiality_matrix', 'has_materiality_matrix', 'boolean'],
  [46, 'assurance_provider', 'assurance_provider', 'string'],
  [47, 'assurance_statement', 'independent_assurance_report_included', 'boolean'],
  [48, 'assurance_level', 'assurance_level', 'string'],
  [49, 'assurance_standard', 'assurance_standard', 'string'],
  [50, 'assurance_scope', 'assurance_scope', 'string'],
] as const;

/** Fields of the Report object beside the 50. */
export const specApiOnlyFields = [
  ...['report_id', 'has_file', 'download_path', 'formats', 'created_at', 'updated_at', 'report_hash'],
  ...['document_scope', 'report_fcyear', 'report_period', 'report_pubdate', 'report_edition', 'report_assurance'],
] as const;

/** Set only when a retired id or key was asked for. */
export const specRenameFields = [
  ...['requested_legacy_report_id', 'requested_legacy_report_key', 'canonical_report_id', 'canonical_report_key'],
] as const;

/** The 13 fields of a company. */
export const specCompanyFields = [
  ...['company_key', 'company_name', 'isin', 'lei', 'figi', 'cik', 'fiscal_year_end_month'],
  ...['ticker', 'mic', 'exchange', 'country', 'sector', 'industry'],
] as const;

/** The 33 report types; the first four are the core types. */
export const specReportTypes = [
  ['SR', 'Sustainability Report'],
  ['IR', 'Integrated Report'],
  ['AR2', 'Annual Report with Sustainability Disclosures'],
  ['AR1', 'Annual Report'],
  ['CGOV', 'Corporate Governance Report'],
  ['MSST', 'Modern Slavery Statement'],
  ['TCFD', 'TCFD Report'],
  ['GHGR', 'GHG Emissions Report'],
  ['GRIX', 'GRI Content Index'],
  ['CTRP', 'Climate Transition Plan'],
  ['STEW', 'Stewardship Report'],
  ['BNDI', 'Bond Impact Report'],
  ['CLIM', 'Climate Report'],
  ['HRTS', 'Human Rights Report'],
  ['EITI', 'EITI Payments to Governments Report'],
  ['GPGR', 'Gender Pay Gap Report'],
  ['CRPL', 'Carbon Reduction Plan'],
  ['DEIR', 'Diversity and Inclusion Report'],
  ['SASB', 'SASB Index'],
  ['GBFW', 'Sustainable Bond Framework'],
  ['SCTR', 'Supply Chain Transparency Report'],
  ['SPOP', 'Second Party Opinion'],
  ['TNFD', 'Nature and Biodiversity Report'],
  ['BNDA', 'Bond Allocation Report'],
  ['UNGC', 'UN Global Compact Progress Report'],
  ['HSAF', 'Health and Safety Report'],
  ['CODE', 'Code of Conduct'],
  ['WATR', 'Water Stewardship Report'],
  ['SLBF', 'Sustainability-Linked Bond Framework'],
  ['PRIT', 'PRI Transparency Report'],
  ['EMAS', 'EMAS Environmental Statement'],
  ['ESGD', 'ESG Data Book'],
  ['CBEN', 'Community Benefit Report'],
] as const;

/** What a report is filed under: `report_fcyear`, `report_year`, and the fiscal year that the rules give. */
export const specFiscalYears = [
  // The fiscal year a report covers, whatever stands on the cover.
  [2024, 2025, 2024],
  [2025, 2024, 2025],
  // None stated: the cover year.
  [null, 2021, 2021],
  // Undated: cover year 0, no fiscal year.
  [null, 0, null],
  // A two-year string is filed under its first year.
  ['2018/2019', 2019, 2018],
  ['2018-19', 2019, 2018],
] as const;

/** Limits of one request. */
export const specLimits = {
  reportsPage: 200,
  watchlistPage: 500,
  identifiersPerCall: 1000,
  reportKeysPerCall: 1000,
  filterValues: 500,
} as const;
