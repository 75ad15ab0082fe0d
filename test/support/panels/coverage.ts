import { coverageMarks, typeFamilies } from '../../../src/api/schemas/reportTypes.ts';
import { visibleText } from '../../../src/base/words.ts';
import type { KnownCompany } from '../../../src/panels/company.ts';
import type { CoverageView } from '../../../src/protocol/coverage.ts';
import { sampleReport } from './reports.ts';

const { file, metadataOnly, gone, split, downloaded, changed } = coverageMarks;

const names = [
  'Nordwerk Antriebstechnik SE',
  'Aktiengesellschaft für Vermögensverwaltung und Grundstücksbewirtschaftung Oberschwaben-Niederrhein',
  'شركة الأفق للطاقة المتجددة',
  'Cedarline Logistics Inc.',
  '<img src=x onerror="alert(1)"> [run](command:workbench.action.quit) \u202Egnp.exe\u202C {{7*7}}',
  'תעשיות הגליל בע״מ',
  'Bréval Énergie SA',
];
const countries = ['Germany', 'Germany', 'United Arab Emirates', 'United States', null, 'Israel', 'France'];

/** A matrix of made-up companies, with every state, and the last year thin. Always the same. */
export function sampleCoverage(companies: number, years = 12, changes: Partial<CoverageView> = {}): CoverageView {
  const columns = [0, ...Array.from({ length: years }, (_, index) => 2026 - years + index)];
  const counts = new Uint8Array(companies * columns.length * typeFamilies.length);
  const marks = new Uint8Array(counts.length);
  const pdfs = new Uint8Array(counts.length);
  const here = new Uint8Array(counts.length);
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) / 0x1_00_00_00;
  };
  for (let row = 0; row < companies; row++) {
    const since = Math.floor(random() * years * 0.6);
    for (let column = 0; column < columns.length; column++) {
      for (let family = 0; family < typeFamilies.length; family++) {
        const at = (row * columns.length + column) * typeFamilies.length + family;
        if (random() > (column === 0 ? 0.03 : column < since ? 0.05 : ([0.7, 0.12, 0.3, 0.4, 0.35][family] ?? 0)))
          continue;
        const dice = random();
        if (dice < 0.04) marks[at] = gone;
        else {
          counts[at] = family === 4 ? 1 + Math.floor(random() * 4) : 1;
          marks[at] = dice < 0.15 ? metadataOnly : dice < 0.3 ? file | downloaded : dice < 0.34 ? file | changed : file;
          if (dice >= 0.15) pdfs[at] = counts[at] ?? 0;
          if (dice >= 0.15 && dice < 0.34) here[at] = 1;
          if (column > 0 && dice > 0.97) marks[at] = (marks[at] ?? 0) | split;
        }
      }
    }
  }
  const rows = Array.from({ length: companies }, (_, row) => row);
  return {
    scope: 'watchlist',
    filterWords: null,
    names: rows.map((row) =>
      row < names.length
        ? visibleText(names[row] ?? '')
        : `Company ${row} ${['Holding', 'Energie AG', 'Group plc'][row % 3]}`,
    ),
    keys: rows.map((row) => `X${['FRA', 'PAR', 'LON', 'NYS'][row % 4]}_C${row}`),
    countries: rows.map((row) => (row < countries.length ? (countries[row] ?? null) : (countries[row % 4] ?? null))),
    years: columns,
    counts,
    pdfs,
    marks,
    here,
    ...changes,
  };
}

/** A company that has reported for twelve years, under a withheld ISIN. */
export const sampleCompany: KnownCompany = {
  company_key: 'XFRA_NWK',
  company_name: 'Nordwerk Antriebstechnik SE',
  isin: null,
  lei: '529900NWKANTRIEB0X47',
  figi: 'BBG00NWK1234',
  cik: null,
  fiscal_year_end_month: 3,
  ticker: 'NWK',
  mic: 'XFRA',
  exchange: 'Frankfurt Stock Exchange',
  country: 'Germany',
  sector: 'Industrials',
  industry: 'Electrical Components & Equipment',
  other: { cusip: '123456789', sedol: 'B0YBKJ7' },
  listed: 31,
  gone: 1,
};

interface Given {
  readonly report: ReturnType<typeof sampleReport>;
  readonly state: 'listed' | 'withdrawn' | 'removed';
  readonly fiscal_year: number | null;
}

/** Twelve years of its reports: standards come in one by one, assurance too; one two-year record, one undated. */
export function companyReports(): Given[] {
  const reports: Given[] = [];
  let id = 0;
  const add = (
    fiscal_year: number | null,
    report_type: string,
    changes: Partial<ReturnType<typeof sampleReport>> = {},
  ) => {
    id++;
    const since = (year: number) =>
      fiscal_year === null ? null : fiscal_year >= year ? true : fiscal_year < year - 3 ? null : false;
    const report = sampleReport({
      report_id: id,
      report_key: `XFRA_NWK_${fiscal_year ?? 0}_${report_type}_${id}`,
      report_type,
      report_fcyear: fiscal_year,
      report_year: fiscal_year ?? 0,
      report_pages: 60 + ((id * 37) % 140),
      report_filesize: 2 + ((id * 13) % 90) / 10,
      standards_gri: since(2014),
      standards_sasb: since(2020),
      standards_tcfd: since(2019),
      standards_issb: since(2025),
      standards_esrs: since(2024),
      standards_sbti: since(2021),
      standards_ungc: null,
      assurance_level:
        fiscal_year !== null && fiscal_year >= 2017 ? (fiscal_year >= 2023 ? 'reasonable' : 'limited') : null,
      assurance_provider:
        fiscal_year !== null && fiscal_year >= 2017 ? 'Hartmann & Lindqvist Wirtschaftsprüfung' : null,
      assurance_standard: fiscal_year !== null && fiscal_year >= 2017 ? 'ISAE 3000' : null,
      assurance_scope: null,
      independent_assurance_report_included: since(2017),
      ...changes,
    });
    reports.push({ report, state: 'listed', fiscal_year });
  };
  for (let year = 2014; year <= 2025; year++) {
    if (year !== 2016) add(year, year < 2022 ? 'SR' : 'IR', year === 2018 ? { report_fcyear: '2018/2019' } : {});
    add(year, year < 2022 ? 'AR1' : 'AR2', year === 2015 ? { has_file: false } : {});
    if (year % 3 === 0) for (const type of ['CLIM', 'GRIX', 'XNEW']) add(year, type);
  }
  add(null, 'CODE');
  return reports.map((given, index) => (index === 3 ? { ...given, state: 'withdrawn' } : given));
}

/** PDFs in the workspace: one as published, one that has a newer version upstream. */
export const companyDownloads: ReadonlyMap<number, string | null> = new Map([
  [1, sampleReport().content_sha256],
  [8, 'ab'.repeat(32)],
  [9, null],
]);

/** What a company's panel is made of: its reports of twelve years, and what of them is here. */
export const sampleCompanyInput = {
  company: sampleCompany,
  askedFor: 'XFRA_NWK',
  reports: companyReports(),
  years: [0, ...Array.from({ length: 12 }, (_, index) => 2014 + index)],
  downloaded: companyDownloads,
};
