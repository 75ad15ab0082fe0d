import * as vscode from 'vscode';
import { knownReportTypes, reportTypeName } from '../../api/schemas/reportTypes.ts';
import type { Services } from '../../app/session.ts';
import { breather } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { cikKey } from '../../identifiers/codes.ts';
import { type Found, findIdentifiers, identifierAt } from '../../identifiers/find.ts';
import type { CompanyYear, LibraryCompany } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { GroupCount, ReportSummary } from '../../library/reportQuery.ts';
import type { StoredReport } from '../../library/store.ts';
import { escapeMarkdown, markdownCode } from '../../notebook/markdown.ts';
import { missingIsin } from '../../protocol/format/facts.ts';
import { formatLanguages } from '../../protocol/format/numbers.ts';
import { commandIds } from '../common/contributions.ts';
import { type CommandCall, type CommandLink, commandUri, dotted, linkLine, paragraphs } from './markdown.ts';

const maxCompanies = 3;
const checked = { isin: 'ISIN', lei: 'LEI', figi: 'FIGI' } as const;

/** What the library on this machine knows of the identifier or report key at a place. */
export async function identifierHover(
  services: Services,
  document: vscode.TextDocument,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<vscode.Hover | undefined> {
  const found = identifierAt(document.lineAt(position.line).text, position.character);
  if (!found) return undefined;
  const library = await signedInLibrary(services, signal);
  if (!library) return undefined;
  const range = new vscode.Range(position.line, found.start, position.line, found.end);
  if (found.kind === 'report-key') {
    const stored = await library.report(found.value);
    return stored ? new vscode.Hover(reportContents(stored), range) : undefined;
  }
  const companies = await companiesOf(library, found);
  if (companies.length === 0) return unknownHover(found, range);
  const shown = await Promise.all(companies.slice(0, maxCompanies).map((company) => companyContents(library, company)));
  const many = vscode.l10n.t('{0} companies in your library have this identifier.', companies.length);
  const head = companies.length > 1 ? [paragraphs(escapeMarkdown(many))] : [];
  return new vscode.Hover([...head, ...shown.flat()], range);
}

/** A code whose check digit holds is worth a word even when it is not here; anything else may not be meant at all. */
function unknownHover({ kind, value }: Found, range: vscode.Range): vscode.Hover | undefined {
  if (kind !== 'isin' && kind !== 'lei' && kind !== 'figi') return undefined;
  const words = vscode.l10n.t('{0} with a valid check digit. Not in the library on this computer.', checked[kind]);
  const ask = { title: vscode.l10n.t('Ask the Service'), command: commandIds.resolveIdentifiers, argument: value };
  return new vscode.Hover([paragraphs(escapeMarkdown(words)), linkLine([ask])], range);
}

const maxYears = 6;
const maxTypes = 5;
const newest = 4;

/** A company in a hover: who it is, what it is known by, what it has reported, and links to that. */
async function companyContents(library: LibraryCalls, company: LibraryCompany): Promise<vscode.MarkdownString[]> {
  const query = { company_key: [company.company_key] };
  const [years, types, { items }] = await Promise.all([
    library.companyYears(company.company_key),
    library.groupReports(query, 'type'),
    library.reports(query, { limit: newest }),
  ]);
  const { company_name, company_key, country, sector, industry, isin, lei, figi, cik } = company;
  const codes = [
    `ISIN ${isin ?? missingIsin({ country, lei, figi }).replace(/^W/, 'w')}`,
    lei && `LEI ${lei}`,
    figi && `FIGI ${figi}`,
    cik && `CIK ${cik}`,
  ];
  const shown = paragraphs(
    `**${escapeMarkdown(company_name ?? company_key)}**  ${markdownCode(company_key)}`,
    dotted([country, sector, industry]),
    dotted(codes),
    [countWords(years), typeWords(types)]
      .filter((words) => words !== '')
      .map((words) => escapeMarkdown(words))
      .join('  \n'),
  );
  const reports = reportLinks(items);
  const links = [
    { title: vscode.l10n.t('Open Company'), command: commandIds.showCompany, argument: company_key },
    ...reports,
  ];
  return [shown, linkLine(links)];
}

/** Links to reports by type and year, none with the words of another. */
export function reportLinks(
  reports: readonly Pick<ReportSummary, 'report_id' | 'type' | 'fiscal_year' | 'language'>[],
): CommandLink[] {
  const used = new Map<string, number>();
  return reports.map(({ report_id, type, fiscal_year, language }) => {
    // A link's words are ours alone: an unknown type is shown by what it is, not by what the service calls it.
    const isKnown = type !== null && knownReportTypes.includes(type);
    const name = isKnown ? reportTypeName(type) : vscode.l10n.t('Report');
    const plain = `${name} ${fiscal_year ?? vscode.l10n.t('undated')}`;
    const isCode = language !== null && /^[a-z]{2}$/.test(language);
    const titled = used.has(plain) && isCode ? `${plain}, ${formatLanguages(language, vscode.env.language)}` : plain;
    const count = (used.get(titled) ?? 0) + 1;
    used.set(titled, count);
    return {
      title: count === 1 ? titled : `${titled} (${count})`,
      command: commandIds.openReport,
      argument: report_id,
    };
  });
}

function countWords(years: readonly CompanyYear[]): string {
  const listed = years.filter(({ listed }) => listed > 0);
  const total = listed.reduce((sum, { listed }) => sum + listed, 0);
  if (total === 0) return vscode.l10n.t('No reports in your license.');
  const counts = listed
    .slice(0, maxYears)
    .map(({ fiscal_year, listed }) => `${fiscal_year ?? vscode.l10n.t('undated')}: ${listed}`);
  const earlier = listed.slice(maxYears).reduce((sum, { listed }) => sum + listed, 0);
  const rest = earlier > 0 ? vscode.l10n.t(', others: {0}', earlier) : '';
  const byYear = `${counts.join(', ')}${rest}`;
  const reports = counted(total, l10n.later('1 report'), l10n.later('{0} reports'));
  return vscode.l10n.t('{0}, by fiscal year {1}', reports, byYear);
}

function typeWords(types: readonly GroupCount[]): string {
  const shown = types.slice(0, maxTypes).map(({ value, count }) => {
    return `${value === null ? vscode.l10n.t('no type') : reportTypeName(String(value))}: ${count}`;
  });
  return `${shown.join(', ')}${types.length > maxTypes ? ', …' : ''}`;
}

/** A report in a hover. The cover year in its key and its fiscal year are never mixed up (RID-3). */
export function reportContents({ report, state, fiscal_year, askedFor }: StoredReport): vscode.MarkdownString[] {
  const { report_title, report_key, company_name, company_key, report_type, fiscal_year_label, report_year } = report;
  const { report_lang, report_pages, report_pubdate_iso, has_file } = report;
  const label = fiscal_year_label && fiscal_year_label !== `${fiscal_year}` ? ` (${fiscal_year_label})` : '';
  const language = report_lang === null ? null : formatLanguages(report_lang, vscode.env.language);
  const states: Readonly<Record<StoredReport['state'], string>> = {
    listed: '',
    withdrawn: vscode.l10n.t('Withdrawn by the service. This is the last metadata it sent.'),
    removed: vscode.l10n.t('No longer available from the service. This is the last metadata it sent.'),
  };
  const renamed = vscode.l10n.t('This key was renamed. The report’s current key:');
  const shown = paragraphs(
    `**${escapeMarkdown(report.metadata.title || report_title || report_key)}**`,
    dotted([company_name ?? company_key, report_type === null ? null : reportTypeName(report_type)]),
    dotted([
      fiscal_year === null ? vscode.l10n.t('Undated') : vscode.l10n.t('Fiscal year {0}{1}', fiscal_year, label),
      report_year ? vscode.l10n.t('Cover year {0}', report_year) : null,
      language,
      report_pages === null ? null : counted(report_pages, l10n.later('1 page'), l10n.later('{0} pages')),
      report_pubdate_iso === null ? null : vscode.l10n.t('published {0}', report_pubdate_iso),
    ]),
    askedFor === null ? '' : `${escapeMarkdown(renamed)} ${markdownCode(report_key)}`,
    escapeMarkdown(states[state]),
    has_file === false ? escapeMarkdown(vscode.l10n.t('The service has no PDF for this report.')) : '',
  );
  const links = [
    { title: vscode.l10n.t('Open Report'), command: commandIds.openReport, argument: report.report_id },
    { title: vscode.l10n.t('Open Company'), command: commandIds.showCompany, argument: company_key },
  ];
  return [shown, linkLine(links)];
}

const maxAlike = 20;

/**
 * The library of the connection in use; undefined when nobody is signed in. Never contacts the service: hovers and
 * links show what is here.
 */
async function signedInLibrary(services: Services, signal: AbortSignal): Promise<LibraryCalls | undefined> {
  const session = await services.ready();
  if (!('connection' in session) || signal.aborted) return undefined;
  return (await services.library()).library.withSignal(signal);
}

/** The companies that an identifier names, exactly; several when it names several. */
async function companiesOf(library: LibraryCalls, { kind, value }: Found): Promise<readonly LibraryCompany[]> {
  switch (kind) {
    case 'ticker':
    case 'company-key': {
      const company = await library.company(value.replace(':', '_'));
      return company ? [company] : [];
    }
    case 'isin':
    case 'lei':
    case 'figi':
      return alike(library, value, (company) => company[kind]?.toUpperCase() === value);
    case 'cik': {
      const spellings = [...new Set([value, cikKey(value), value.replace(/^0+/, '')])];
      for (const spelling of spellings) {
        const found = await alike(library, spelling, ({ cik }) => cik !== null && cikKey(cik) === cikKey(value));
        if (found.length > 0) return found;
      }
      return [];
    }
    case 'report-key':
      return [];
    default:
      return kind satisfies never;
  }
}

/** The index of words finds what begins alike; only what is the same counts. */
async function alike(
  library: LibraryCalls,
  value: string,
  isSame: (company: LibraryCompany) => boolean,
): Promise<readonly LibraryCompany[]> {
  return (await library.findCompanies(value, maxAlike)).filter(isSame);
}

/** A document gets no more links than this, and no more of it is read: characters, of a line too, different texts. */
const caps = { text: 2_000_000, line: 2_000, texts: 400, links: 2_000 } as const;

/** Links on report keys and identifiers that the library on this machine knows; others are left alone. */
export async function knownLinks(
  services: Services,
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<vscode.DocumentLink[]> {
  const places = await placesIn(document, signal);
  if (places.length === 0) return [];
  const library = await signedInLibrary(services, signal);
  if (!library) return [];
  const targets = new Map<string, vscode.DocumentLink['target'] | null>();
  const links: vscode.DocumentLink[] = [];
  for (const { found, line } of places) {
    const name = `${found.kind} ${found.value}`;
    let target = targets.get(name);
    if (target === undefined) {
      if (targets.size >= caps.texts) continue;
      const link = await linkOf(library, found);
      target = link && vscode.Uri.parse(commandUri(link), true);
      targets.set(name, target);
    }
    if (!target) continue;
    const link = new vscode.DocumentLink(new vscode.Range(line, found.start, line, found.end), target);
    link.tooltip = found.kind === 'report-key' ? vscode.l10n.t('Open Report') : vscode.l10n.t('Open Company');
    links.push(link);
    if (links.length >= caps.links) break;
  }
  return links;
}

async function placesIn(document: vscode.TextDocument, signal: AbortSignal) {
  const rest = breather();
  const places: { readonly found: Found; readonly line: number }[] = [];
  let left: number = caps.text;
  for (let line = 0; line < document.lineCount && left > 0 && places.length < caps.links; line += 1) {
    const text = document.lineAt(line).text.slice(0, caps.line);
    left -= text.length + 1;
    for (const found of findIdentifiers(text)) places.push({ found, line });
    await rest();
    signal.throwIfAborted();
  }
  return places;
}

/** Null when the library does not know it, or knows several that it may be. */
async function linkOf(library: LibraryCalls, found: Found): Promise<CommandCall | null> {
  if (found.kind === 'report-key') {
    const stored = await library.report(found.value);
    return stored && { command: commandIds.openReport, argument: stored.report.report_id };
  }
  const [company, ...others] = await companiesOf(library, found);
  return company && others.length === 0 ? { command: commandIds.showCompany, argument: company.company_key } : null;
}
