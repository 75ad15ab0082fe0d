import * as vscode from 'vscode';
import { reportTypeName } from '../../api/schemas/reportTypes.ts';
import type { CompanyYear, LibraryCompany } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { GroupCount } from '../../library/reportQuery.ts';
import { missingIsin } from '../../protocol/format/facts.ts';
import { commandIds } from '../common/contributions.ts';
import { type CommandLink, linkLine, PlainMarkdown } from './markdown.ts';
import { isKnownReportType } from './typeNames.ts';

const mostYears = 6;
const mostTypes = 5;
const newest = 4;

/** A company in a hover: who it is, what it is known by, what it has reported, and links to that. */
export async function companyContents(
  library: LibraryCalls,
  company: LibraryCompany,
): Promise<vscode.MarkdownString[]> {
  const query = { company_key: [company.company_key] };
  const [years, types, { items }] = await Promise.all([
    library.companyYears(company.company_key),
    library.groupReports(query, 'type'),
    library.reports(query, { limit: newest }),
  ]);
  const { company_name, company_key, country, sector, industry, isin, lei, figi, cik } = company;
  const plain = new PlainMarkdown()
    .bold(company_name ?? company_key)
    .ours('  ')
    .code(company_key);
  if (country ?? sector ?? industry) plain.ours('\n\n').dotted([country, sector, industry]);
  plain
    .ours('\n\n')
    .dotted([
      `ISIN ${isin ?? missingIsin({ country, lei, figi }).replace(/^W/, 'w')}`,
      lei && `LEI ${lei}`,
      figi && `FIGI ${figi}`,
      cik && `CIK ${cik}`,
    ]);
  plain.ours('\n\n').text(countWords(years));
  if (types.length > 0) plain.ours('  \n').text(typeWords(types));
  const reports = items.map(({ report_id, type, fiscal_year }): CommandLink => {
    // A link's title is ours alone: an unknown type is shown by what it is, not by what the service calls it.
    const title = `${isKnownReportType(type) ? type : 'Report'} ${fiscal_year ?? 'undated'}`;
    return { title, command: commandIds.openReport, argument: report_id };
  });
  const links = [
    { title: vscode.l10n.t('Open Company'), command: commandIds.showCompany, argument: company_key },
    ...reports,
  ];
  return [plain.markdown, linkLine(links)];
}

function countWords(years: readonly CompanyYear[]): string {
  const listed = years.filter(({ listed }) => listed > 0);
  const total = listed.reduce((sum, { listed }) => sum + listed, 0);
  if (total === 0) return vscode.l10n.t('No reports in your licence.');
  const counts = listed
    .slice(0, mostYears)
    .map(({ fiscal_year, listed }) => `${fiscal_year ?? vscode.l10n.t('undated')}: ${listed}`);
  const earlier = listed.slice(mostYears).reduce((sum, { listed }) => sum + listed, 0);
  const rest = earlier > 0 ? vscode.l10n.t(', others: {0}', earlier) : '';
  const byYear = `${counts.join(', ')}${rest}`;
  return total === 1
    ? vscode.l10n.t('1 report, by fiscal year {0}', byYear)
    : vscode.l10n.t('{0} reports, by fiscal year {1}', total.toLocaleString(), byYear);
}

function typeWords(types: readonly GroupCount[]): string {
  const shown = types.slice(0, mostTypes).map(({ value, count }) => {
    return `${value === null ? vscode.l10n.t('no type') : reportTypeName(String(value))}: ${count}`;
  });
  return `${shown.join(', ')}${types.length > mostTypes ? ', …' : ''}`;
}
