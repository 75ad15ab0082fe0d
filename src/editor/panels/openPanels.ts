import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type PanelKey, type PanelKind, panelKey, panelUri } from '../common/panelUri.ts';
import { companyIcon } from '../common/reportNode.ts';
import { companyPanel } from './companyPanel.ts';
import { comparePanel } from './comparePanel.ts';
import { coveragePanel } from './coveragePanel.ts';
import type { PanelInputs, PanelPorts } from './panel.ts';
import { PanelEditors } from './panelEditors.ts';
import { ReportPanel } from './reportPanel.ts';
import { resultsPanel } from './resultsPanel.ts';
import { SchemaPanel } from './schemaPanel.ts';
import { TablePanel } from './tablePanel.ts';
import { usagePanel } from './usagePanel.ts';

/** Makes the panels ready to be opened. Opens nothing and asks the service nothing. */
export function openPanels(ports: PanelPorts): PanelEditors {
  return new PanelEditors(ports, {
    report: {
      bundle: 'metadata',
      title: vscode.l10n.t('Report'),
      icon: 'notebook',
      connect: (panel, document) => new ReportPanel(panel, ports, document.key.reportId, document),
    },
    company: {
      bundle: 'company',
      title: vscode.l10n.t('Company'),
      icon: companyIcon(ports.extensionUri),
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
      connect: (panel) => usagePanel(panel, ports),
    },
    results: {
      bundle: 'resolveResults',
      title: vscode.l10n.t('Resolved Identifiers'),
      icon: 'search-fuzzy',
      connect: (panel, document) => resultsPanel(panel, ports, document),
    },
  });
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
