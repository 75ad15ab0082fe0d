import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { familyIndex, typeFamilies } from '../../api/schemas/reportTypes.ts';
import { visibleText } from '../../base/words.ts';
import type { ReportQuery, ReportSummary } from '../../library/reportQuery.ts';
import type { CoverageMatrix } from '../../library/store.ts';
import {
  type CoverageFormat,
  type CoverageLook,
  type CoverageScope,
  type CoverageView,
  coverageProtocol,
  familyPlaces,
} from '../../protocol/coverage.ts';
import { coverageExport, coverageText, localMark } from '../../protocol/coverageRows.ts';
import { fileName, tellAndOffer } from '../common/messages.ts';
import { openCell } from './chosenReport.ts';
import type { PanelPorts } from './context.ts';
import { LatestLoad, libraryInUse, type OpenPanel, openChannel } from './panel.ts';
import type { PanelDocument } from './panelEditors.ts';

/** Key of the workspace state for the companies that Coverage shows. */
const scopeKey = 'coverage.scope';

/** A view, and the keys of its rows as the library has them. */
interface ReadCoverage {
  readonly view: CoverageView;
  readonly keys: readonly string[];
}

export function coveragePanel(
  panel: OpenPanel,
  ports: PanelPorts,
  document: Pick<PanelDocument<'coverage'>, 'input' | 'onDidTakeInput'>,
): void {
  const workspace = ports.extension.workspaceState;
  let scope: CoverageScope = document.input?.scope ?? (workspace.get(scopeKey) === 'filter' ? 'filter' : 'watchlist');
  const keepScope = async (wanted: CoverageScope) => {
    scope = wanted;
    document.input = { scope };
    await workspace.update(scopeKey, scope);
  };
  const keyOf = (row: number): string => {
    const key = reading.known().keys[row];
    if (key === undefined) throw new Error(vscode.l10n.t('The list was refreshed. Choose again.'));
    return key;
  };
  const exported = (look: CoverageLook, format: CoverageFormat): string =>
    coverageExport(reading.known().view, look, format);
  panel.store.add(
    document.onDidTakeInput(async () => {
      // No caller handles an error, so the page shows it.
      await Promise.all([keepScope(document.input?.scope ?? scope), reading.readElse()]);
    }),
  );
  const channel = openChannel(panel, coverageProtocol, {
    calls: {
      openCompany: ({ row }) => panel.open({ kind: 'company', companyKey: keyOf(row) }),
      async openCell({ row, year, family }): Promise<void> {
        const place = { companyKey: keyOf(row), year, families: familyPlaces(family) };
        const library = await libraryInUse(ports, panel.signal);
        return openCell(panel, library, place, reading.known().view.names[row] ?? '');
      },
      copyAs: ({ look, format }) => panel.copy(exported(look, format)),
      save: ({ look }) => saveTable((format) => exported(look, format)),
      viewAsText: ({ look }) => panel.showText('Coverage.md', coverageText(reading.known().view, look)),
      setScope: async (wanted) => {
        await keepScope(wanted.scope);
        await reading.readChosen(({ view }) => keepScope(view.scope));
      },
    },
    events: {
      ready: () => reading.ready(),
      retry: () => void reading.read(),
    },
  });
  const reading: LatestLoad<ReadCoverage> = new LatestLoad(panel, {
    show({ view }, before) {
      if (before === undefined || !isDeepStrictEqual(before.view, view)) channel.send('show', view);
    },
    fail: (problem) => channel.send('problem', problem),
    read: () => read(panel, ports, scope),
    follows: (data) =>
      (data.kind !== 'library' || data.change.companies.length > 0 || data.change.renamed.length > 0) && 'soon',
    failed: 'The coverage could not be read for its panel.',
  });
}

async function read(panel: OpenPanel, ports: PanelPorts, scope: CoverageScope): Promise<ReadCoverage> {
  const [library, filter] = await Promise.all([libraryInUse(ports, panel.signal), ports.reportsFilter()]);
  const isFiltered = scope === 'filter' && filter !== null;
  const [matrix, files] = await Promise.all([
    library.coverage(isFiltered ? filter.query : undefined),
    ports.localFiles(),
  ]);
  const ids = [...files.keys()];
  const shownIds = isFiltered && ids.length > 0 ? await library.reportIds(hereQuery(filter.query, ids)) : ids;
  const reports = shownIds.length === 0 ? [] : await library.summaries(shownIds);
  const shown = { scope: isFiltered ? 'filter' : 'watchlist', filterWords: filter?.words ?? null } as const;
  return { view: coverageView(matrix, { reports, files }, shown), keys: matrix.keys };
}

/** Finds those of a filter's reports that are among `ids`, listed or not. */
export function hereQuery(query: ReportQuery, ids: readonly number[]): ReportQuery {
  return { ...query, state: query.state ?? 'all', among: [...(query.among ?? []), { ids, is: true }] };
}

/**
 * Turns a matrix of the library into what the panel shows.
 * @param local the reports of the matrix whose PDF is here, and the hashes of their files
 */
export function coverageView(
  matrix: CoverageMatrix,
  local: { readonly reports: readonly ReportSummary[]; readonly files: ReadonlyMap<number, string | null> },
  shown: { readonly scope: CoverageScope; readonly filterWords: string | null },
): CoverageView {
  const { keys, years, counts, pdfs, marks } = matrix;
  const here = new Uint8Array(counts.length);
  const lines = new Map(keys.map((key, line) => [key, line]));
  const columns = new Map(years.map((year, column) => [year, column]));
  for (const report of local.reports) {
    const line = lines.get(report.company_key);
    const column = columns.get(report.fiscal_year ?? 0);
    if (line === undefined || column === undefined) continue;
    const at = (line * years.length + column) * typeFamilies.length + familyIndex(report.type);
    // The library may have changed between the two answers: nothing is marked where nothing is shown.
    if ((marks[at] ?? 0) === 0) continue;
    const sha256 = local.files.get(report.report_id) ?? null;
    const isListed = report.state === 'listed';
    marks[at] = (marks[at] ?? 0) | localMark({ isListed, sha256: report.sha256 }, sha256);
    if (!isListed) continue;
    here[at] = Math.min(255, (here[at] ?? 0) + 1);
    // The service may have taken back a PDF that is still here.
    if (report.has_file === false) pdfs[at] = Math.min(255, (pdfs[at] ?? 0) + 1);
  }
  return {
    scope: shown.scope,
    filterWords: shown.filterWords === null ? null : visibleText(shown.filterWords),
    names: matrix.names.map((name, line) => visibleText(name ?? keys[line] ?? '')),
    keys: keys.map(visibleText),
    countries: matrix.countries.map((country) => (country === null ? null : visibleText(country))),
    years,
    counts,
    pdfs,
    marks,
    here,
  };
}

const filters = { CSV: ['csv'], Markdown: ['md'] };

/**
 * Writes a table to a file that the person chooses, in the format of its name's extension, CSV by default; false when
 * the person leaves. Says once where it went and that the data is licensed (LIM-5); nothing opens by itself.
 */
async function saveTable(contentAs: (format: CoverageFormat) => string): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, 'coverage.csv') }),
    filters,
    title: vscode.l10n.t('Save as CSV or Markdown'),
  });
  if (!uri) return false;
  const format = uri.path.toLowerCase().endsWith('.md') ? 'markdown' : 'csv';
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(contentAs(format)));
  void tellAndOffer(
    vscode.l10n.t('Saved {0}. The data is licensed to you and may not be redistributed.', fileName(uri)),
    { [vscode.l10n.t('Open')]: () => vscode.commands.executeCommand('vscode.open', uri) },
  );
  return true;
}
