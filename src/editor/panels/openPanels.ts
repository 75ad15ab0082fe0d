import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type PanelKey, type PanelKind, panelKey, panelUri } from '../common/panelUri.ts';
import { type CompanyPanelPorts, companyPanel } from './companyPanel.ts';
import { chooseComparison, comparePanel } from './comparePanel.ts';
import { type CoveragePanelPorts, coveragePanel } from './coveragePanel.ts';
import type { PanelInputs } from './panel.ts';
import { type NamedKey, PanelEditors, type PanelEditorsOptions } from './panelEditors.ts';
import { ReportPanel, type ReportPanelPorts } from './reportPanel.ts';
import { type ResultsPanelPorts, resultsPanel } from './resultsPanel.ts';
import { SchemaPanel, type SchemaPanelPorts } from './schemaPanel.ts';
import { TablePanel, type TablePanelPorts } from './tablePanel.ts';
import { UsagePanel, type UsagePanelPorts } from './usagePanel.ts';

/** What the panels need from the rest of the product; each names its own part. */
export interface PanelPorts
  extends ReportPanelPorts,
    CompanyPanelPorts,
    CoveragePanelPorts,
    TablePanelPorts,
    SchemaPanelPorts,
    UsagePanelPorts,
    ResultsPanelPorts,
    Omit<PanelEditorsOptions, 'types' | 'chooseComparison'> {
  /** A report or company was opened, from wherever. */
  noteOpened(key: NamedKey): Promise<void>;
  /** The rows that are selected in the tree that was used last. */
  selection(): readonly unknown[];
}

/** Makes the panels ready to be opened. Opens nothing and asks the service nothing. */
export function openPanels(ports: PanelPorts): PanelEditors {
  const editors: PanelEditors = new PanelEditors({
    ...ports,
    chooseComparison: (reportIds) => chooseComparison(ports, editors, reportIds),
    types: {
      report: {
        bundle: 'metadata',
        title: vscode.l10n.t('Report'),
        icon: 'notebook',
        connect: (panel, document) => new ReportPanel(panel, ports, document.key.reportId, document),
      },
      company: {
        bundle: 'company',
        title: vscode.l10n.t('Company'),
        icon: 'organization',
        connect: (panel, { key }) => companyPanel(panel, ports, key.companyKey),
      },
      compare: {
        bundle: 'compare',
        title: vscode.l10n.t('Compare Reports'),
        icon: 'diff-multiple',
        connect: (panel, { key }) => comparePanel(panel, ports, key.reportIds),
      },
      schema: {
        bundle: 'schemaDictionary',
        title: vscode.l10n.t('Schema Dictionary'),
        icon: 'book',
        connect: (panel, document) => new SchemaPanel(panel, ports, document),
      },
      coverage: {
        bundle: 'coverage',
        title: vscode.l10n.t('Coverage'),
        icon: 'table',
        connect: (panel, document) => coveragePanel(panel, ports, document),
      },
      table: {
        bundle: 'reportTable',
        title: vscode.l10n.t('All Reports as Table'),
        icon: 'list-flat',
        connect: (panel, document) => new TablePanel(panel, ports, document),
      },
      usage: {
        bundle: 'usage',
        title: vscode.l10n.t('Usage'),
        icon: 'graph',
        connect: (panel) => new UsagePanel(panel, ports),
      },
      results: {
        bundle: 'resolveResults',
        title: vscode.l10n.t('Resolved Identifiers'),
        icon: 'search-fuzzy',
        connect: (panel, document) => resultsPanel(panel, ports, document),
      },
    },
  });
  return editors;
}

const id = z.int().check(z.positive());

/** What the pages of version 0.1.0 kept of the thing they showed. */
const oldStates = {
  report: z.object({ reportId: id }),
  company: z.object({ companyKey: z.string() }),
  compare: z.object({ reportIds: z.array(id) }),
  coverage: z.object({ scope: z.enum(['watchlist', 'filter']) }),
  results: z.object({
    subject: z.enum(['companies', 'reports']),
    queries: z.array(z.string().check(z.maxLength(500))).check(z.minLength(1), z.maxLength(20_000)),
  }),
};

/**
 * Opens the editor of what a tab of version 0.1.0 showed in that tab's place; a tab whose page kept nothing that can be
 * trusted is closed.
 */
export async function reopen(
  editors: PanelEditors,
  kind: PanelKind,
  tab: vscode.WebviewPanel,
  state: unknown,
): Promise<void> {
  const old = oldPanel(kind, state);
  const { viewColumn, active } = tab;
  if (old && panelKey(panelUri(old.key, kind)))
    await editors.open(old.key, old.input as never, { ...(viewColumn && { viewColumn }), preserveFocus: !active });
  tab.dispose();
}

function oldPanel(
  kind: PanelKind,
  state: unknown,
): { readonly key: PanelKey; readonly input?: PanelInputs[keyof PanelInputs] } | undefined {
  if (kind === 'schema' || kind === 'usage' || kind === 'table') return { key: { kind } };
  const { success, data } = oldStates[kind].safeParse(state);
  if (!success) return undefined;
  if ('scope' in data) return { key: { kind: 'coverage' }, input: { scope: data.scope } };
  if ('queries' in data) return { key: { kind: 'results', subject: data.subject }, input: { queries: data.queries } };
  return { key: { kind, ...data } as PanelKey };
}
