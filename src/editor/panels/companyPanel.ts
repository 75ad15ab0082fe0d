import * as vscode from 'vscode';
import { familyIndex, typeFamilies } from '../../api/schemas/reportTypes.ts';
import { isAbortError } from '../../base/clock.ts';
import { type StoredReport, yearColumns } from '../../library/store.ts';
import { type CellName, type CompanyView, companyProtocol } from '../../protocol/company.ts';
import { companyView } from '../../protocol/companyView.ts';
import { runCommand, runOnReports } from '../common/commands.ts';
import { maxReports, openCell } from './chosenReport.ts';
import type { DataChange, PanelPorts } from './context.ts';
import { libraryInUse, type OpenPanel, showWhole, toggleFavorite, type Whole } from './panel.ts';

type CompanyPanelPorts = Pick<PanelPorts, 'services' | 'log' | 'startSync' | 'favorites' | 'localFiles'>;

interface ReadCompany {
  readonly view: CompanyView;
  readonly reports: readonly StoredReport[];
}

export function companyPanel(panel: OpenPanel, ports: CompanyPanelPorts, askedFor: string): void {
  const whole: Whole<typeof companyProtocol, ReadCompany> = showWhole(panel, companyProtocol, {
    calls: {
      openCell: async (cell) => {
        const { companyKey, title } = whole.reading.known().view;
        const place = { companyKey, year: cell.year, families: [typeFamilies.indexOf(cell.family)] };
        return openCell(panel, await libraryInUse(ports, panel.signal), place, title);
      },
      toggleFavorite: () => toggleFavorite({ company_key: whole.reading.known().view.companyKey, report_id: null }),
      download: ({ cells }) => download(whole.reading.known(), cells),
      revealInWatchlist: () => runCommand('openCompany', whole.reading.known().view.companyKey),
    },
    view: ({ view }) => view,
    title: ({ title }) => title,
    read: () => read(panel, ports, askedFor),
    follows: (change) =>
      change.kind === 'favorites'
        ? 'now'
        : concerns(change, whole.reading.content?.view.companyKey ?? askedFor) && 'soon',
    failed: 'A company could not be read for its panel.',
  });
}

function concerns(data: DataChange, companyKey: string): boolean {
  if (data.kind !== 'library') return data.kind !== 'filter';
  const { companies, renamed } = data.change;
  return renamed.length > 0 || companies === 'many' || companies.includes(companyKey);
}

async function read(panel: OpenPanel, ports: CompanyPanelPorts, askedFor: string): Promise<ReadCompany> {
  const library = await libraryInUse(ports, panel.signal);
  await loadCompanyEarly(ports, askedFor);
  const company = await library.company(askedFor);
  if (!company)
    throw new Error(vscode.l10n.t('No company in your licence has that key. Check it, or resolve its identifiers.'));
  const query = { company_key: [company.company_key], state: 'all' } as const;
  const { items } = await library.reports(query, { limit: maxReports });
  const reports = await library.storedReports(items.map(({ report_id }) => report_id));
  const downloaded = await ports.localFiles(new Set(reports.map(({ report }) => report.report_id)));
  const years = yearColumns(reports.map(({ fiscal_year }) => fiscal_year ?? 0));
  const isFavorite = (await ports.favorites.read()).has({ company_key: company.company_key, report_id: null });
  const view = companyView({ company, askedFor, reports, years, downloaded, isFavorite }, vscode.env.language);
  return { view, reports };
}

/** Brings a company's reports while a first load has not come to it yet. */
export async function loadCompanyEarly(
  { services, log }: Pick<PanelPorts, 'services' | 'log'>,
  companyKey: string,
): Promise<void> {
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

async function download({ reports }: ReadCompany, cells: readonly CellName[]): Promise<void> {
  const wanted = new Set(cells.map(({ year, family }) => `${year} ${typeFamilies.indexOf(family)}`));
  const isWanted = ({ report, state, fiscal_year }: StoredReport) =>
    state === 'listed' &&
    report.has_file !== false &&
    wanted.has(`${fiscal_year ?? 0} ${familyIndex(report.report_type)}`);
  const chosen = reports.filter(isWanted).map(({ report }) => report);
  if (chosen.length === 0)
    throw new Error(vscode.l10n.t('None of these reports has a PDF. Select cells where one is available.'));
  await runOnReports('downloadReports', chosen);
}
