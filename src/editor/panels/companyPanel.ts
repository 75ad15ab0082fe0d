import * as vscode from 'vscode';
import { familyIndex, typeFamilies } from '../../api/schemas/reportTypes.ts';
import { isAbortError } from '../../base/clock.ts';
import { yearColumns } from '../../library/store.ts';
import { type CellName, type CompanyView, companyProtocol } from '../../protocol/company.ts';
import { companyView } from '../../protocol/companyView.ts';
import { runCommand, runOnReports } from '../common/commands.ts';
import { maxReports, openCell } from './chosenReport.ts';
import {
  actOnFavourite,
  type DataChange,
  libraryInUse,
  type OpenPanel,
  type PanelPorts,
  showWhole,
  storedFavourite,
  type Whole,
} from './panel.ts';

type CompanyPanelPorts = Pick<PanelPorts, 'services' | 'log' | 'startSync' | 'favourites' | 'localFiles'>;

export function companyPanel(panel: OpenPanel, ports: CompanyPanelPorts, askedFor: string): void {
  const whole: Whole<typeof companyProtocol, CompanyView> = showWhole(panel, companyProtocol, {
    calls: {
      openCell: async (cell) => {
        const { companyKey, title } = whole.reading.known();
        const place = { companyKey, year: cell.year, families: [typeFamilies.indexOf(cell.family)] };
        return openCell(panel, await libraryInUse(ports, panel.signal), place, title);
      },
      favourite: ({ act }) => actOnFavourite(act, { company_key: whole.reading.known().companyKey, report_id: null }),
      download: ({ cells }) => download(panel, ports, whole.reading.known().companyKey, cells),
      revealInWatchlist: () => runCommand('openCompany', whole.reading.known().companyKey),
    },
    view: (view) => view,
    title: ({ title }) => title,
    read: () => read(panel, ports, askedFor),
    follows: (change) =>
      change.kind === 'favourites' ? 'now' : concerns(change, whole.reading.content?.companyKey ?? askedFor) && 'soon',
    failed: 'A company could not be read for its panel.',
    missing: vscode.l10n.t('The company is still loading.'),
  });
}

function concerns(data: DataChange, companyKey: string): boolean {
  if (data.kind !== 'library') return data.kind !== 'filter';
  const { companies, renamed } = data.change;
  return renamed.length > 0 || companies === 'many' || companies.includes(companyKey);
}

async function read(panel: OpenPanel, ports: CompanyPanelPorts, askedFor: string): Promise<CompanyView> {
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
  const favourite = await storedFavourite(ports, { company_key: company.company_key, report_id: null });
  return companyView({ company, askedFor, reports, years, downloaded, favourite }, vscode.env.language);
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

async function download(
  panel: OpenPanel,
  ports: CompanyPanelPorts,
  companyKey: string,
  cells: readonly CellName[],
): Promise<void> {
  const library = await libraryInUse(ports, panel.signal);
  const wanted = new Set(cells.map(({ year, family }) => `${year} ${typeFamilies.indexOf(family)}`));
  const { items } = await library.reports({ company_key: [companyKey] }, { limit: maxReports });
  const chosen = items.filter(({ fiscal_year, type }) => wanted.has(`${fiscal_year ?? 0} ${familyIndex(type)}`));
  const ids = chosen.filter(({ has_file }) => has_file !== false).map(({ report_id }) => report_id);
  if (ids.length === 0)
    throw new Error(vscode.l10n.t('None of these reports has a PDF. Select cells where one is available.'));
  await runOnReports('downloadReports', ids);
}
