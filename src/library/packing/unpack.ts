import type { Report } from '../../api/schemas/report.ts';
import type { Cell } from './codecs.ts';
import { fromHexBytes, fromNumeric, fromOpen, fromPredicted, fromTime, fromWord } from './codecs.ts';
import { type Extra, type HotColumns, type PackedReport, place } from './packedReport.ts';
import { flagAt } from './triStates.ts';
import type { Words } from './words.ts';

/** Gives a stored report back exactly as the service sent it. */
export function unpack(packed: PackedReport, words: Words): Report {
  const id = packed.report_id;
  const body = JSON.parse(packed.body) as Cell[];
  const exact = {
    created_at: fromTime(body[place.created]),
    updated_at: fromTime(body[place.updated]),
    download_path: fromOpen(body[place.downloadPath], id, words),
    formats: fromOpen(body[place.formats], id, words),
    document_scope: fromOpen(body[place.documentScope], id, words),
    report_period: fromOpen(body[place.period], id, words),
  };
  const report = predict(packed, body, JSON.parse(packed.facts) as string[], exact, words);
  if (packed.extra !== null) correct(report, JSON.parse(packed.extra) as Extra);
  return report;
}

/** The same without the fields that no list shows: timestamps and those of an open type are null. */
export function unpackForList(packed: PackedReport, words: Words): Report {
  const body = JSON.parse(packed.body) as Cell[];
  const report = predict(packed, body, JSON.parse(packed.facts) as string[], unread, words);
  if (packed.extra !== null) correct(report, JSON.parse(packed.extra) as Extra);
  return report;
}

/** A report while it is put together. */
export type Draft = { -readonly [K in keyof Report]: Report[K] };

function correct(report: Draft, extra: Extra): void {
  if (extra.typed) Object.assign(report, extra.typed);
  if (extra.metadata) Object.assign(report.metadata, extra.metadata);
  if (extra.other) report.other = extra.other;
}

/** Fields that no other follows from and none predicts; what is packed of them is what they are. */
export type ExactFields = Pick<
  Report,
  'created_at' | 'updated_at' | 'download_path' | 'formats' | 'document_scope' | 'report_period'
>;

const unread: ExactFields = {
  created_at: null,
  updated_at: null,
  download_path: null,
  formats: null,
  document_scope: null,
  report_period: null,
};

/** The report that follows from the packed columns without `extra`. */
export function predict(
  packed: HotColumns,
  body: readonly Cell[],
  facts: readonly string[],
  exact: ExactFields,
  words: Words,
): Draft {
  const id = packed.report_id;
  const { fy, flags } = packed;
  const [companyKey = '', company = '', ticker = '', mic = '', exchange = ''] = facts;
  const [country = '', sector = '', industry = '', nace = '', naics = '', isin = '', lei = '', figi = ''] =
    facts.slice(5);
  const type = packed.type === 0 ? null : words.text(packed.type);
  const reportClass = packed.class === 0 ? null : words.text(packed.class);
  const lang = packed.lang === 0 ? null : words.text(packed.lang);
  const level = packed.level === 0 ? null : words.text(packed.level);
  const sha = fromHexBytes(packed.sha);

  const title = text(body[place.title]);
  const year = fromNumeric(body[place.year]);
  const reportKey = fromPredicted(body[place.reportKey], predictedKey(companyKey, year, type));
  const filename = fromPredicted(body[place.filename], predictedFilename(reportKey));
  const pages = fromNumeric(body[place.pages]);
  const filesize = fromNumeric(body[place.filesize]);
  const published = text(body[place.published]);
  const periodStart = fromPredicted(body[place.periodStart], predictedStart(fy));
  const periodEnd = fromPredicted(body[place.periodEnd], predictedEnd(fy));
  const fiscalYear = fromPredicted(body[place.fiscalYear], String(fy));
  const edition = fromNumeric(body[place.edition]);
  const griLevel = fromWord(body[place.griLevel], words);
  const sbtiStatus = fromWord(body[place.sbtiStatus], words);
  const sdgGoals = text(body[place.sdgGoals]);
  const provider = fromWord(body[place.provider], words);
  const standard = fromWord(body[place.standard], words);
  const scope = fromWord(body[place.scope], words);

  const gri = flagAt(flags, 1);
  const sasb = flagAt(flags, 2);
  const tcfd = flagAt(flags, 3);
  const issb = flagAt(flags, 4);
  const esrs = flagAt(flags, 5);
  const integrated = flagAt(flags, 6);
  const ghg = flagAt(flags, 7);
  const taxonomy = flagAt(flags, 8);
  const ungp = flagAt(flags, 9);
  const cdp = flagAt(flags, 10);
  const ungc = flagAt(flags, 11);
  const sbti = flagAt(flags, 12);
  const assessment = flagAt(flags, 13);
  const matrix = flagAt(flags, 14);
  const statement = flagAt(flags, 15);

  return {
    report_id: id,
    report_key: reportKey,
    company_key: companyKey,
    filename: known(filename),
    has_file: flagAt(flags, 0),
    content_sha256: sha,
    created_at: exact.created_at,
    updated_at: exact.updated_at,
    download_path: exact.download_path,
    formats: exact.formats,
    report_hash: fromHexBytes(packed.hash),
    document_scope: exact.document_scope,
    report_period: exact.report_period,
    company_name: known(company),
    company_isin: known(isin),
    company_lei: known(lei),
    company_figi: known(figi),
    company_ticker: known(ticker),
    company_mic: known(mic),
    company_exchange: known(exchange),
    company_country: known(country),
    company_sector: known(sector),
    company_industry: known(industry),
    nace_code: known(nace),
    naics_code: known(naics),
    report_title: known(title),
    report_type: type,
    report_class: reportClass,
    report_year: number(year),
    report_fcyear: fy === 0 ? null : fy,
    fiscal_year_label: known(fiscalYear),
    period_start_date: known(periodStart),
    period_end_date: known(periodEnd),
    report_pubdate: published.length === 10 ? published : null,
    report_pubdate_iso: known(published),
    edition_number: number(edition),
    report_edition: known(edition),
    report_lang: lang,
    report_pages: number(pages),
    report_filesize: number(filesize),
    standards_gri: gri,
    gri_level: known(griLevel),
    standards_sasb: sasb,
    standards_tcfd: tcfd,
    standards_issb: issb,
    standards_esrs: esrs,
    standards_integrated: integrated,
    standards_ghg_protocol: ghg,
    standards_eu_taxonomy: taxonomy,
    standards_ungp: ungp,
    standards_cdp: cdp,
    standards_ungc: ungc,
    standards_sbti: sbti,
    sbti_status: known(sbtiStatus),
    sdg_alignment: known(sdgGoals),
    has_materiality_assessment: assessment,
    has_materiality_matrix: matrix,
    assurance_provider: known(provider),
    report_assurance: known(provider),
    independent_assurance_report_included: statement,
    assurance_level: level,
    assurance_standard: known(standard),
    assurance_scope: known(scope),
    requested_legacy_report_id: null,
    requested_legacy_report_key: null,
    canonical_report_id: null,
    canonical_report_key: null,
    metadata: {
      filename,
      company,
      title,
      year,
      type: type ?? '',
      class: reportClass ?? '',
      language: lang ?? '',
      pages,
      filesize,
      publication_date: published,
      period_start: periodStart,
      period_end: periodEnd,
      fiscal_year: fiscalYear,
      edition,
      report_key: reportKey,
      sha256: sha ?? '',
      company_key: companyKey,
      ticker,
      mic,
      exchange,
      country,
      sector,
      industry,
      nace_code: nace,
      naics_code: naics,
      isin,
      lei,
      figi,
      std_gri: cell(gri),
      gri_level: griLevel,
      std_sasb: cell(sasb),
      std_tcfd: cell(tcfd),
      std_issb: cell(issb),
      std_esrs: cell(esrs),
      std_integrated: cell(integrated),
      std_ghg_protocol: cell(ghg),
      std_eu_taxonomy: cell(taxonomy),
      std_ungp: cell(ungp),
      std_cdp: cell(cdp),
      std_ungc: cell(ungc),
      std_sbti: cell(sbti),
      sbti_status: sbtiStatus,
      sdg_goals: sdgGoals,
      materiality_assessment: cell(assessment),
      materiality_matrix: cell(matrix),
      assurance_provider: provider,
      assurance_statement: cell(statement),
      assurance_level: level ?? '',
      assurance_standard: standard,
      assurance_scope: scope,
    },
    other: {},
  };
}

/** Report keys are made of the company key, the cover year and the type; suffixes and renames are the exceptions. */
export function predictedKey(companyKey: string, year: string, type: string | null): string {
  return `${companyKey}_${year}_${type ?? ''}`;
}

export function predictedFilename(reportKey: string): string {
  return `${reportKey}.pdf`;
}

export function predictedStart(fy: number): string | null {
  return fy === 0 ? null : `${fy}-01-01`;
}

export function predictedEnd(fy: number): string | null {
  return fy === 0 ? null : `${fy}-12-31`;
}

export function text(cell: Cell | undefined): string {
  return typeof cell === 'string' ? cell : '';
}

export function known(value: string): string | null {
  return value === '' ? null : value;
}

export function number(value: string): number | null {
  if (value === '') return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

function cell(value: boolean | null): string {
  return value === null ? '' : value ? 'TRUE' : 'FALSE';
}
