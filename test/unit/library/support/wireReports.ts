import { columns } from '../../../../src/api/schemas/fields.ts';
import { type Report, readReport } from '../../../../src/api/schemas/report.ts';
import { seededRandom } from '../../../../src/demo/random.ts';

/** A report as the service would send it: about 3.3 kB of JSON, the same for the same number. */
export type WireReport = Record<string, unknown> & { report_id: number; company_key: string; report_key: string };

const first = 'Alder|Bréval|Corvina|Dunmore|Elbforth|Fjellby|Granäs|Hollin|Istria|Jorvik|Kestrel|Lindow'.split('|');
const second = 'Energy|Foods|Chemicals|Logistics|Mining|Retail|Semiconductors|Textiles|Utilities|Water'.split('|');
const forms = ['AG', 'plc', 'SA', 'Oyj', 'ASA', 'NV', 'Inc.', 'KK'];
const countries = ['Germany', 'United Kingdom', 'France', 'Finland', 'Norway', 'Netherlands', 'United States', 'Japan'];
const markets = ['XFRA', 'XLON', 'XPAR', 'XHEL', 'XOSL', 'XAMS', 'XNYS', 'XTKS'];
const exchanges =
  'Frankfurt Stock Exchange|London Stock Exchange|Euronext Paris|Nasdaq Helsinki|Oslo Børs|Euronext Amsterdam|New York Stock Exchange|Tokyo Stock Exchange'.split(
    '|',
  );
const languages = ['de', 'en', 'fr', 'fi;en', 'no', 'nl;en', 'en', 'ja;en'];
const sectors = ['Energy', 'Consumer Staples', 'Materials', 'Industrials', 'Information Technology', 'Utilities'];
const types = 'SR|SR|SR|IR|AR2|AR2|AR1|AR1|CGOV|MSST|TCFD|GHGR|CLIM|GPGR|ESGD|CODE'.split('|');
const titles: Record<string, string> = {
  SR: 'Sustainability Report',
  IR: 'Integrated Report',
  AR2: 'Annual Report and Sustainability Statement',
  AR1: 'Annual Report and Accounts',
  CGOV: 'Corporate Governance Report',
  MSST: 'Modern Slavery Act Statement',
  TCFD: 'Report on Climate-related Financial Disclosures',
};
const providers = ['Northgate Assurance LLP', 'Verity & Holm', 'Bergmann Prüfung GmbH', 'Sora Audit Corporation'];
const scopes = ['GHG emissions (Scope 1, 2)', 'Selected indicators', 'Entire report'];
const standards = 'sasb|tcfd|issb|esrs|integrated|ghg_protocol|eu_taxonomy|ungp|cdp|ungc|sbti'.split('|');
const hex = '0123456789abcdef';

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

function digits(count: number, alphabet: string, random: () => number): string {
  return Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

/** Company number n; every one has its own identifiers. */
export function wireCompany(n: number): Record<string, string | null> {
  const random = seededRandom(n * 7919 + 17);
  const place = Math.floor(random() * countries.length);
  const name = `${pick(first, random)} ${digits(5, 'aeioulmnrst', random)} ${pick(second, random)} ${forms[place]}`;
  const ticker = digits(4, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', random) + n.toString(36).toUpperCase();
  const withheld = countries[place] === 'United States';
  return {
    company_key: `${markets[place]}_${ticker}`,
    company_name: name,
    company_ticker: ticker,
    company_mic: markets[place] ?? '',
    company_exchange: exchanges[place] ?? '',
    company_country: countries[place] ?? '',
    company_sector: pick(sectors, random),
    company_industry: `${pick(second, random)} and Related Services`,
    nace_code: String(10 + Math.floor(random() * 80)),
    naics_code: String(110000 + Math.floor(random() * 700000)),
    company_isin: withheld ? null : `${countries[place]?.slice(0, 2).toUpperCase()}${digits(10, '0123456789', random)}`,
    company_lei: digits(20, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', random),
    company_figi: `BBG${digits(9, 'BCDFGHJKLMNPQRSTVWXYZ0123456789', random)}`,
    report_lang: languages[place] ?? 'en',
  };
}

/** Report number n (1, 2, …) of a catalog in which `perCompany` reports share a company. */
export function wireReport(n: number, perCompany = 40, changes: Record<string, unknown> = {}): WireReport {
  const random = seededRandom(n * 104_729 + 3);
  const { report_lang: lang, ...company } = wireCompany(Math.floor(n / perCompany));
  const type = pick(types, random);
  // Later years hold more reports.
  const fy = 2025 - Math.floor(random() ** 1.6 * 24);
  const cover = random() < 0.8 ? fy : fy + 1;
  const split = random() < 0.25;
  const month = String(1 + Math.floor(random() * 12)).padStart(2, '0');
  const day = String(1 + Math.floor(random() * 28)).padStart(2, '0');
  const tri = () => (random() < 0.5 ? null : random() < 0.6);
  const assured = random() < 0.5;
  const hasFile = random() < 0.97;
  const sha = hasFile ? digits(64, hex, random) : null;
  const key = `${company.company_key}_${cover}_${type}${random() < 0.1 ? '_2' : ''}`;
  const published = `${fy + 1}-${month}${random() < 0.7 ? `-${day}` : ''}`;
  const edition = random() < 0.1 ? 1 + Math.floor(random() * 9) : null;
  const provider = assured ? pick(providers, random) : null;
  const report: WireReport = {
    report_id: n * 3,
    report_key: key,
    filename: `${key}.pdf`,
    has_file: hasFile,
    download_path: `/api/v2/reports/${n * 3}/download`,
    formats: ['pdf'],
    content_sha256: sha,
    report_hash: digits(64, hex, random),
    created_at: `${fy + 1}-${month}-${day}T08:15:${day}Z`,
    updated_at: `2026-0${1 + Math.floor(random() * 9)}-${day}T10:20:30Z`,
    ...company,
    company_key: company.company_key as string,
    report_title: `${company.company_name} ${titles[type] ?? `${type} Disclosure`} ${cover}`,
    report_type: type,
    report_class: type === 'SR' ? 'D' : type === 'AR1' ? 'F' : type.startsWith('A') || type === 'IR' ? 'E' : 'S',
    document_scope: 'full',
    report_year: cover,
    report_fcyear: fy,
    fiscal_year_label: split ? `${fy - 1}/${fy}` : String(fy),
    period_start_date: split ? `${fy - 1}-04-01` : `${fy}-01-01`,
    period_end_date: split ? `${fy}-03-31` : `${fy}-12-31`,
    report_period: split ? `${fy - 1}-04-01/${fy}-03-31` : `${fy}-01-01/${fy}-12-31`,
    report_pubdate: published.length === 10 ? published : null,
    report_pubdate_iso: published,
    edition_number: edition,
    report_edition: edition === null ? null : String(edition),
    report_lang: lang,
    report_pages: 8 + Math.floor(random() * 300),
    report_filesize: Math.round(random() * 2000) / 100,
    standards_gri: tri(),
    gri_level: pick(['in accordance', 'referenced', 'not applied', null], random),
    ...Object.fromEntries(standards.map((name) => [`standards_${name}`, tri()])),
    sbti_status: pick(['targets set', 'committed', 'no relationship', null], random),
    sdg_alignment: random() < 0.5 ? '3;5;7;8;12;13' : null,
    has_materiality_assessment: tri(),
    has_materiality_matrix: tri(),
    assurance_provider: provider,
    report_assurance: provider,
    independent_assurance_report_included: tri(),
    assurance_level: assured ? pick(['limited', 'reasonable'], random) : null,
    assurance_standard: assured ? pick(['ISAE 3000', 'AA1000AS'], random) : null,
    assurance_scope: assured ? pick(scopes, random) : null,
    ...{ requested_legacy_report_id: null, requested_legacy_report_key: null },
    ...{ canonical_report_id: null, canonical_report_key: null },
    ...changes,
  };
  return { ...report, metadata: metadataOf(report) };
}

/** The 50 columns of a wire report, as a bulk delivery writes them. */
export function metadataOf(report: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(columns.map(({ name, apiField }) => [name, cell(report[apiField])]));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value);
}

/** A wire report as the client reads it. */
export function read(wire: Record<string, unknown>): Report {
  const reading = readReport(structuredClone(wire));
  if (!reading.ok) throw new Error(reading.reason);
  return reading.value;
}

/** Report number n as the client reads it. */
export function report(n: number, changes: Record<string, unknown> = {}, perCompany = 40): Report {
  return read(wireReport(n, perCompany, changes));
}
