import * as vscode from 'vscode';
import { familyIndex, typeFamilies } from '../../api/schemas/reportTypes.ts';
import { isAbortError } from '../../base/clock.ts';
import { type StoredReport, yearColumns } from '../../library/store.ts';
import { type CompanyInput, cellName, companyBlocks, companyTitle } from '../../panels/company.ts';
import { runCommand } from '../common/commands.ts';
import { type BlocksOf, showBlocks, updatedWords } from './blocksPanel.ts';
import { maxReports, openCell } from './chosenReport.ts';
import type { DataChange, PanelPorts } from './context.ts';
import { libraryInUse, type OpenPanel, toggleFavorite } from './panel.ts';

interface ReadCompany extends CompanyInput {
  readonly reports: readonly StoredReport[];
}

export function companyPanel(panel: OpenPanel, ports: PanelPorts, askedFor: string): void {
  const whole: BlocksOf<ReadCompany> = showBlocks(panel, {
    acts: {
      async openCell(at) {
        const { company } = whole.reading.known();
        const [year, family] = String(at).split(' ');
        const place = {
          companyKey: company.company_key,
          year: Number(year),
          families: typeFamilies.flatMap((each, index) => (each === family ? index : [])),
        };
        return openCell(panel, await libraryInUse(ports, panel.signal), place, companyTitle(company));
      },
      toggleFavorite: () => toggleFavorite({ company_key: whole.reading.known().company.company_key, report_id: null }),
      download: (at) => download(ports, whole.reading.known(), new Set(Array.isArray(at) ? at.map(String) : [])),
      revealInWatchlist: () => runCommand('openCompany', whole.reading.known().company.company_key),
    },
    blocks: (content) => companyBlocks(content, vscode.env.language),
    title: ({ company }) => companyTitle(company),
    said: updatedWords,
    read: () => read(panel, ports, askedFor),
    follows: (change) =>
      change.kind === 'favorites'
        ? 'now'
        : concerns(change, whole.reading.content?.company.company_key ?? askedFor) && 'soon',
    failed: 'A company could not be read for its panel.',
  });
}

function concerns(data: DataChange, companyKey: string): boolean {
  if (data.kind !== 'library') return data.kind !== 'filter';
  const { companies, renamed } = data.change;
  return renamed.length > 0 || companies === 'many' || companies.includes(companyKey);
}

async function read(panel: OpenPanel, ports: PanelPorts, askedFor: string): Promise<ReadCompany> {
  const library = await libraryInUse(ports, panel.signal);
  await loadCompanyEarly(ports, askedFor);
  const company = await library.company(askedFor);
  if (!company)
    throw new Error(vscode.l10n.t('No company in your license has that key. Check it, or resolve its identifiers.'));
  const query = { company_key: [company.company_key], state: 'all' } as const;
  const { items } = await library.reports(query, { limit: maxReports });
  const reports = await library.storedReports(items.map(({ report_id }) => report_id));
  const downloaded = await ports.localFiles(new Set(reports.map(({ report }) => report.report_id)));
  const years = yearColumns(reports.map(({ fiscal_year }) => fiscal_year ?? 0));
  const isFavorite = (await ports.favorites.read()).has({ company_key: company.company_key, report_id: null });
  return { company, askedFor, reports, years, downloaded, isFavorite };
}

/** Brings a company's reports while a first load has not come to it yet. */
export async function loadCompanyEarly({ services, log }: PanelPorts, companyKey: string): Promise<void> {
  const { library, engine } = await services.library();
  const { phase } = await library.syncRecord();
  if (phase === 'following') return;
  try {
    await engine.loadCompany(companyKey);
  } catch (error) {
    // Offline, or with a refused key, what is held of the company is shown all the same.
    if (isAbortError(error) || !(await library.company(companyKey))) throw error;
    log.warn(`A company's reports could not be loaded: ${String(error)}`);
  }
}

async function download(ports: PanelPorts, { reports }: ReadCompany, cells: ReadonlySet<string>): Promise<void> {
  const isWanted = ({ report, state, fiscal_year }: StoredReport) => {
    const family = typeFamilies[familyIndex(report.report_type)];
    const isChosen = family !== undefined && cells.has(cellName(fiscal_year ?? 0, family));
    return isChosen && state === 'listed' && report.has_file !== false;
  };
  const chosen = reports.filter(isWanted).map(({ report }) => report);
  if (chosen.length === 0)
    throw new Error(vscode.l10n.t('None of these reports has a PDF. Select cells where one is available.'));
  await ports.downloads.offer(chosen);
}
