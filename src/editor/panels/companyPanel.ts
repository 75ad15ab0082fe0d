import * as vscode from 'vscode';
import { familyIndex, typeFamilies } from '../../api/schemas/reportTypes.ts';
import { yearColumns } from '../../library/store.ts';
import { type CellName, type CompanyView, companyProtocol } from '../../protocol/company.ts';
import { companyView } from '../../protocol/companyView.ts';
import { maxReports, openCell } from './chosenReport.ts';
import {
  type DataChange,
  type FavouritePorts,
  type LibraryPorts,
  type OpenPanel,
  showWhole,
  type Whole,
} from './panel.ts';

export interface CompanyPanelPorts extends FavouritePorts, LibraryPorts {
  /** Brings a company's reports while a first load has not come to it yet. */
  loadCompany(companyKey: string): Promise<void>;
  revealCompany(companyKey: string): Promise<void>;
  /** Downloads PDFs after a question that says what it comes to. */
  downloadReports(reportIds: readonly number[]): Promise<void>;
}

export function companyPanel(panel: OpenPanel, ports: CompanyPanelPorts, askedFor: string): void {
  const whole: Whole<typeof companyProtocol, CompanyView> = showWhole(panel, companyProtocol, {
    calls: {
      openCell: async (cell) => {
        const { companyKey, title } = whole.reading.known();
        const place = { companyKey, year: cell.year, families: [typeFamilies.indexOf(cell.family)] };
        return openCell(panel, await ports.syncedLibrary(panel.signal), place, title);
      },
      favourite: ({ act }) =>
        ports.actOnFavourite(act, { company_key: whole.reading.known().companyKey, report_id: null }),
      download: ({ cells }) => download(panel, ports, whole.reading.known().companyKey, cells),
      revealInWatchlist: () => ports.revealCompany(whole.reading.known().companyKey),
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
  const library = await ports.syncedLibrary(panel.signal);
  await ports.loadCompany(askedFor);
  const company = await library.company(askedFor);
  if (!company)
    throw new Error(vscode.l10n.t('No company in your licence has that key. Check it, or resolve its identifiers.'));
  const query = { company_key: [company.company_key], state: 'all' } as const;
  const { items } = await library.reports(query, { limit: maxReports });
  const reports = await library.storedReports(items.map(({ report_id }) => report_id));
  const downloaded = await ports.localFiles(new Set(reports.map(({ report }) => report.report_id)));
  const years = yearColumns(reports.map(({ fiscal_year }) => fiscal_year ?? 0));
  const favourite = await ports.favouriteOf({ company_key: company.company_key, report_id: null });
  return companyView({ company, askedFor, reports, years, downloaded, favourite }, vscode.env.language);
}

async function download(
  panel: OpenPanel,
  ports: CompanyPanelPorts,
  companyKey: string,
  cells: readonly CellName[],
): Promise<void> {
  const library = await ports.syncedLibrary(panel.signal);
  const wanted = new Set(cells.map(({ year, family }) => `${year} ${typeFamilies.indexOf(family)}`));
  const { items } = await library.reports({ company_key: [companyKey] }, { limit: maxReports });
  const chosen = items.filter(({ fiscal_year, type }) => wanted.has(`${fiscal_year ?? 0} ${familyIndex(type)}`));
  const ids = chosen.filter(({ has_file }) => has_file !== false).map(({ report_id }) => report_id);
  if (ids.length === 0)
    throw new Error(vscode.l10n.t('None of these reports has a PDF. Select cells where one is available.'));
  await ports.downloadReports(ids);
}
