import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { AskedResults } from '../../protocol/askedResults.ts';
import type { LookupEntry } from '../../protocol/lookupView.ts';
import { metadataStateSchema } from '../../protocol/metadata.ts';
import { type ResultsSubject, resolveStateSchema } from '../../protocol/resolveResults.ts';
import type { ResolveEntry } from '../../protocol/resolveView.ts';
import { schemaStateSchema } from '../../protocol/schemaDictionary.ts';
import { panelViewTypes } from '../common/contributions.ts';
import { problemText } from '../common/showProblem.ts';
import { chooseReports } from './chooseReports.ts';
import { compareHost, comparisonKey } from './compareHost.ts';
import type { PanelContext, PanelPorts } from './context.ts';
import { companyHost, coverageHost } from './coverageHosts.ts';
import { type OpenPanel, PanelHost } from './panelHost.ts';
import { ReportPanel } from './reportPanel.ts';
import { ResolvePanel, type ResultsInput } from './resolvePanel.ts';
import { companySubject, reportSubject } from './resultsSubject.ts';
import { SchemaPanel } from './schemaPanel.ts';
import { TextDocuments } from './textDocuments.ts';
import { usageHost } from './usagePanel.ts';

/** The panels, once their code is loaded. */
export interface OpenPanels extends Disposable {
  /** Shows a report; the one at hand saves a request. An open panel of the same report is shown again. */
  showReport(report: Report | number, options?: { readonly preserveFocus?: boolean }): void;
  /** Shows the schema dictionary, at a column if one is named. */
  showSchema(column?: string): void;
  /** Shows two to six reports side by side. */
  showComparison(reportIds: readonly number[]): void;
  /** Asks which reports to compare, with those named already ticked, and shows them. */
  chooseComparison(reportIds: readonly number[]): Promise<void>;
  /** Shows what this key and this window used. */
  showUsage(): void;
  /** Shows a company: identifiers, coverage, standards and assurance over the years. */
  showCompany(companyKey: string): void;
  /** Shows which companies have which reports in which fiscal years. */
  showCoverage(): void;
  /** Shows what became of identifiers or report keys, in input order. */
  showResults(results: AskedResults): void;
  /** Fills a panel that the editor brought back after a reload. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

/** Makes the panels ready to be shown. Opens nothing and asks the service nothing. */
export function openPanels(ports: PanelPorts): OpenPanels {
  const chooseComparison = async (ids: readonly number[]) => {
    const chosen = await chooseReports(await ports.library(), ids, ports.log);
    if (chosen) comparisons.show(comparisonKey(chosen));
  };
  const context: PanelContext = { ...ports, explain: problemText, chooseComparison };
  const store = new DisposableStore();
  const documents = store.add(new TextDocuments());
  const schema = schemaHost(context, documents, store);
  const reports = reportHost(context, documents, store, schema.show);
  const results = resolveHost(context, documents, store);
  const companies = companyHost(context, documents, store);
  const coverage = coverageHost(context, documents, store);
  const comparisons = store.add(
    compareHost(context, documents, { showColumn: schema.show, showReport: (id) => reports.show(id) }),
  );
  const usage = store.add(usageHost(context, documents));
  return {
    showReport: reports.show,
    showSchema: schema.show,
    showComparison: (reportIds) => comparisons.show(comparisonKey(reportIds)),
    chooseComparison,
    showUsage: () => usage.show('usage'),
    showCompany: (companyKey) => companies.show(companyKey),
    showCoverage: () => coverage.show('coverage'),
    showResults: results.show,
    restore(panel, state) {
      for (const host of [schema.host, reports.host, comparisons, usage, results.host, companies, coverage]) {
        if (host.viewType === panel.viewType) host.restore(panel, state);
      }
    },
    dispose: () => store.dispose(),
  };
}

function reportHost(
  context: PanelContext,
  documents: TextDocuments,
  store: DisposableStore,
  showColumn: (column: string) => void,
): { host: PanelHost<number>; show: OpenPanels['showReport'] } {
  const atHand = new Map<number, Report>();
  const open = new Map<number, ReportPanel>();
  const host = store.add(
    new PanelHost<number>(
      {
        viewType: panelViewTypes.report,
        bundle: 'metadata',
        title: vscode.l10n.t('Report'),
        icon: 'notebook',
        keyOf(state) {
          const parsed = metadataStateSchema.safeParse(state);
          return parsed.success ? parsed.data.reportId : undefined;
        },
        connect(panel, reportId) {
          const report = atHand.get(reportId);
          open.set(reportId, new ReportPanel({ panel, context, documents, reportId, report, showColumn }));
          panel.store.add({ dispose: () => open.delete(reportId) });
        },
      },
      context.extensionUri,
      context.log,
    ),
  );
  return {
    host,
    show(report, options) {
      const reportId = typeof report === 'number' ? report : report.report_id;
      if (typeof report !== 'number') {
        open.get(reportId)?.update(report);
        atHand.set(reportId, report);
      }
      host.show(reportId, options);
      atHand.delete(reportId);
    },
  };
}

function schemaHost(
  context: PanelContext,
  documents: TextDocuments,
  store: DisposableStore,
): { host: PanelHost<'schema'>; show: OpenPanels['showSchema'] } {
  let open: SchemaPanel | undefined;
  let wanted: string | undefined;
  const host = store.add(
    new PanelHost<'schema'>(
      {
        viewType: panelViewTypes.schema,
        bundle: 'schemaDictionary',
        title: vscode.l10n.t('Schema Dictionary'),
        icon: 'book',
        keyOf: (state) => (schemaStateSchema.safeParse(state).success ? 'schema' : undefined),
        connect(panel) {
          open = new SchemaPanel(panel, context, documents, wanted);
          panel.store.add({
            dispose() {
              open = undefined;
            },
          });
        },
      },
      context.extensionUri,
      context.log,
    ),
  );
  return {
    host,
    show(column) {
      wanted = column;
      if (column !== undefined) open?.reveal(column);
      host.show('schema');
      wanted = undefined;
    },
  };
}

/** One panel for results about companies, and one for results about reports. */
function resolveHost(
  context: PanelContext,
  documents: TextDocuments,
  store: DisposableStore,
): { host: PanelHost<ResultsSubject>; show: OpenPanels['showResults'] } {
  const open: { companies?: ResolvePanel<ResolveEntry>; reports?: ResolvePanel<LookupEntry> } = {};
  let given: AskedResults | undefined;
  let restored: readonly string[] = [];
  const connect = (panel: OpenPanel, subject: ResultsSubject) => {
    const input = (given?.subject === subject ? given : { queries: restored }) as ResultsInput<never>;
    if (subject === 'companies') {
      open.companies = new ResolvePanel(panel, context, documents, companySubject(context), input);
    } else open.reports = new ResolvePanel(panel, context, documents, reportSubject(context), input);
    panel.store.add({ dispose: () => delete open[subject] });
  };
  const host = store.add(
    new PanelHost<ResultsSubject>(
      {
        viewType: panelViewTypes.resolve,
        bundle: 'resolveResults',
        title: vscode.l10n.t('Resolved Identifiers'),
        icon: 'search-fuzzy',
        keyOf(state) {
          const parsed = resolveStateSchema.safeParse(state);
          if (!parsed.success) return undefined;
          restored = parsed.data.queries;
          return parsed.data.subject;
        },
        connect,
      },
      context.extensionUri,
      context.log,
    ),
  );
  return {
    host,
    show(results) {
      given = results;
      if (results.subject === 'companies') open.companies?.update(results);
      else open.reports?.update(results);
      host.show(results.subject);
      given = undefined;
    },
  };
}
