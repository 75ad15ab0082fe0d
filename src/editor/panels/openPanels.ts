import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { AskedResults } from '../../protocol/askedResults.ts';
import type { CoverageScope } from '../../protocol/coverage.ts';
import { type MetadataState, metadataStateSchema } from '../../protocol/metadata.ts';
import { type ResolveState, type ResultsSubject, resolveStateSchema } from '../../protocol/resolveResults.ts';
import { type SchemaState, schemaStateSchema } from '../../protocol/schemaDictionary.ts';
import { chooseReports } from '../common/chooseReports.ts';
import { panelViewTypes } from '../common/contributions.ts';
import { problemText } from '../common/messages.ts';
import { comparedReports } from './comparedReports.ts';
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
  /** Shows which companies have which reports in which fiscal years: of the licence, or of the Reports view's filter. */
  showCoverage(scope: CoverageScope): void;
  /** Shows what became of identifiers or report keys, in input order. */
  showResults(results: AskedResults): void;
  /** Fills a panel that the editor brought back after a reload. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

/** Makes the panels ready to be shown. Opens nothing and asks the service nothing. */
export function openPanels(ports: PanelPorts): OpenPanels {
  const chooseComparison = async (ids: readonly number[]) => {
    const chosen = await chooseReports(await ports.library(), ids, comparedReports, ports.log);
    if (chosen) comparisons.show(comparisonKey(chosen));
  };
  const context: PanelContext = { ...ports, explain: problemText, chooseComparison };
  const store = new DisposableStore();
  const documents = store.add(new TextDocuments());
  const schema = schemaHost(context, documents);
  const reports = reportHost(context, documents, schema.show);
  const results = resolveHost(context, documents);
  const companies = companyHost(context, documents, schema.show);
  const coverage = coverageHost(context, documents);
  const comparisons = compareHost(context, documents, {
    showColumn: schema.show,
    showReport: (id) => reports.show(id),
  });
  const usage = usageHost(context, documents);
  const hosts = [schema.host, reports.host, comparisons, usage, results.host, companies, coverage.host];
  for (const host of hosts) store.add(host);
  return {
    showReport: reports.show,
    showSchema: schema.show,
    showComparison: (reportIds) => comparisons.show(comparisonKey(reportIds)),
    chooseComparison,
    showUsage: () => usage.show('usage'),
    showCompany: (companyKey) => companies.show(companyKey),
    showCoverage: coverage.show,
    showResults: results.show,
    restore(panel, state) {
      for (const host of hosts) if (host.viewType === panel.viewType) host.restore(panel, state);
    },
    dispose: () => store.dispose(),
  };
}

type ReportHost = PanelHost<number, MetadataState, ReportPanel>;

function reportHost(
  context: PanelContext,
  documents: TextDocuments,
  showColumn: (column: string) => void,
): { readonly host: ReportHost; readonly show: OpenPanels['showReport'] } {
  const atHand = new Map<number, Report>();
  const host: ReportHost = new PanelHost<number, MetadataState, ReportPanel>(
    {
      viewType: panelViewTypes.report,
      bundle: 'metadata',
      title: vscode.l10n.t('Report'),
      icon: 'notebook',
      state: metadataStateSchema,
      keyOf: ({ reportId }) => reportId,
      connect: (panel, reportId) =>
        new ReportPanel({ panel, context, documents, reportId, report: atHand.get(reportId), showColumn }),
    },
    context,
  );
  return {
    host,
    show(report, options) {
      const reportId = typeof report === 'number' ? report : report.report_id;
      if (typeof report !== 'number') {
        host.opened(reportId)?.update(report);
        atHand.set(reportId, report);
      }
      host.show(reportId, options);
      atHand.delete(reportId);
    },
  };
}

type SchemaHost = PanelHost<'schema', SchemaState, SchemaPanel>;

function schemaHost(
  context: PanelContext,
  documents: TextDocuments,
): { readonly host: SchemaHost; readonly show: OpenPanels['showSchema'] } {
  let wanted: string | undefined;
  const host: SchemaHost = new PanelHost<'schema', SchemaState, SchemaPanel>(
    {
      viewType: panelViewTypes.schema,
      bundle: 'schemaDictionary',
      title: vscode.l10n.t('Schema Dictionary'),
      icon: 'book',
      state: schemaStateSchema,
      keyOf: () => 'schema',
      connect: (panel) => new SchemaPanel(panel, context, documents, wanted),
    },
    context,
  );
  return {
    host,
    show(column) {
      wanted = column;
      if (column !== undefined) host.opened('schema')?.reveal(column);
      host.show('schema');
      wanted = undefined;
    },
  };
}

/** An open panel of results; it takes those of its own subject. */
interface AnyResults {
  update(results: AskedResults): void;
}

type ResultsHost = PanelHost<ResultsSubject, ResolveState, AnyResults>;

/** One panel for results about companies, and one for results about reports. */
function resolveHost(
  context: PanelContext,
  documents: TextDocuments,
): { readonly host: ResultsHost; readonly show: OpenPanels['showResults'] } {
  let given: AskedResults | undefined;
  let restored: readonly string[] = [];
  const connect = (panel: OpenPanel, subject: ResultsSubject): AnyResults => {
    const input = (given?.subject === subject ? given : { queries: restored }) as ResultsInput<never>;
    if (subject === 'companies') {
      const companies = new ResolvePanel(panel, context, documents, companySubject(context), input);
      return { update: (results) => results.subject === 'companies' && companies.update(results) };
    }
    const reports = new ResolvePanel(panel, context, documents, reportSubject(context), input);
    return { update: (results) => results.subject === 'reports' && reports.update(results) };
  };
  const host: ResultsHost = new PanelHost<ResultsSubject, ResolveState, AnyResults>(
    {
      viewType: panelViewTypes.resolve,
      bundle: 'resolveResults',
      title: vscode.l10n.t('Resolved Identifiers'),
      icon: 'search-fuzzy',
      state: resolveStateSchema,
      keyOf({ queries, subject }) {
        restored = queries;
        return subject;
      },
      connect,
    },
    context,
  );
  return {
    host,
    show(results) {
      given = results;
      host.opened(results.subject)?.update(results);
      host.show(results.subject);
      given = undefined;
    },
  };
}
