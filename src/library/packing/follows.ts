import type { Report, TriState } from '../../api/schemas/report.ts';
import type { HotColumns } from './packedReport.ts';
import type { Words } from './words.ts';

/**
 * Whether the typed fields and the metadata of a report say the same, so that unpacking gives both back from what is
 * packed. Each value by itself is packed so that it comes back; what can go amiss is only that the two spellings of a
 * fact differ, which is all that is compared here: the same as predicting the whole report, at a tenth of the cost.
 * Where this says no, names decide (see `pack`).
 */
export function follows(report: Report, hot: HotColumns, words: Words): boolean {
  return (
    sameIdentity(report) &&
    sameCompany(report) &&
    sameDescription(report, hot.fy) &&
    sameStandards(report) &&
    sameAssurance(report) &&
    (hot.sha !== null || report.content_sha256 === null) &&
    (hot.hash !== null || report.report_hash === null) &&
    isKept(report.report_type, hot.type, words) &&
    isKept(report.report_class, hot.class, words) &&
    isKept(report.report_lang, hot.lang, words) &&
    isKept(report.assurance_level, hot.level, words)
  );
}

function sameIdentity(report: Report): boolean {
  const m = report.metadata;
  for (const _ in report.other) return false;
  return (
    report.report_key === m.report_key &&
    report.company_key === m.company_key &&
    isSame(report.filename, m.filename) &&
    (report.content_sha256 ?? '') === m.sha256 &&
    report.requested_legacy_report_id === null &&
    report.requested_legacy_report_key === null &&
    report.canonical_report_id === null &&
    report.canonical_report_key === null
  );
}

function sameCompany(report: Report): boolean {
  const m = report.metadata;
  return (
    isSame(report.company_name, m.company) &&
    isSame(report.company_isin, m.isin) &&
    isSame(report.company_lei, m.lei) &&
    isSame(report.company_figi, m.figi) &&
    isSame(report.company_ticker, m.ticker) &&
    isSame(report.company_mic, m.mic) &&
    isSame(report.company_exchange, m.exchange) &&
    isSame(report.company_country, m.country) &&
    isSame(report.company_sector, m.sector) &&
    isSame(report.company_industry, m.industry) &&
    isSame(report.nace_code, m.nace_code) &&
    isSame(report.naics_code, m.naics_code)
  );
}

function sameDescription(report: Report, fy: number): boolean {
  const m = report.metadata;
  return (
    isSame(report.report_title, m.title) &&
    (report.report_type ?? '') === m.type &&
    (report.report_class ?? '') === m.class &&
    (report.report_lang ?? '') === m.language &&
    isNumber(report.report_year, m.year) &&
    report.report_fcyear === (fy === 0 ? null : fy) &&
    isSame(report.fiscal_year_label, m.fiscal_year) &&
    isSame(report.period_start_date, m.period_start) &&
    isSame(report.period_end_date, m.period_end) &&
    isSame(report.report_pubdate_iso, m.publication_date) &&
    report.report_pubdate === (m.publication_date.length === 10 ? m.publication_date : null) &&
    isNumber(report.edition_number, m.edition) &&
    isSame(report.report_edition, m.edition) &&
    isNumber(report.report_pages, m.pages) &&
    isNumber(report.report_filesize, m.filesize)
  );
}

function sameStandards(report: Report): boolean {
  const m = report.metadata;
  return (
    isFact(report.standards_gri, m.std_gri) &&
    isSame(report.gri_level, m.gri_level) &&
    isFact(report.standards_sasb, m.std_sasb) &&
    isFact(report.standards_tcfd, m.std_tcfd) &&
    isFact(report.standards_issb, m.std_issb) &&
    isFact(report.standards_esrs, m.std_esrs) &&
    isFact(report.standards_integrated, m.std_integrated) &&
    isFact(report.standards_ghg_protocol, m.std_ghg_protocol) &&
    isFact(report.standards_eu_taxonomy, m.std_eu_taxonomy) &&
    isFact(report.standards_ungp, m.std_ungp) &&
    isFact(report.standards_cdp, m.std_cdp) &&
    isFact(report.standards_ungc, m.std_ungc) &&
    isFact(report.standards_sbti, m.std_sbti) &&
    isSame(report.sbti_status, m.sbti_status) &&
    isSame(report.sdg_alignment, m.sdg_goals)
  );
}

function sameAssurance(report: Report): boolean {
  const m = report.metadata;
  return (
    isFact(report.has_materiality_assessment, m.materiality_assessment) &&
    isFact(report.has_materiality_matrix, m.materiality_matrix) &&
    isSame(report.assurance_provider, m.assurance_provider) &&
    isSame(report.report_assurance, m.assurance_provider) &&
    isFact(report.independent_assurance_report_included, m.assurance_statement) &&
    (report.assurance_level ?? '') === m.assurance_level &&
    isSame(report.assurance_standard, m.assurance_standard) &&
    isSame(report.assurance_scope, m.assurance_scope)
  );
}

/** An empty cell stands for an unknown value, so an empty text does not follow from it. */
function isSame(typed: string | null, cell: string): boolean {
  return typed === null ? cell === '' : typed === cell && cell !== '';
}

function isNumber(typed: number | null, cell: string): boolean {
  if (cell === '') return typed === null;
  const parsed = Number(cell);
  return typed === (Number.isFinite(parsed) ? parsed : null);
}

function isFact(typed: TriState, cell: string): boolean {
  return cell === (typed === null ? '' : typed ? 'TRUE' : 'FALSE');
}

/** A text that SQLite would bend is filed under another one. */
function isKept(text: string | null, word: number, words: Words): boolean {
  return text === null || words.text(word) === text;
}
