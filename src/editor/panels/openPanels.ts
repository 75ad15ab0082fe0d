import * as vscode from 'vscode';
import { companyIcon } from '../common/reportNode.ts';
import { companyPanel } from './companyPanel.ts';
import { comparePanel } from './comparePanel.ts';
import { coveragePanel } from './coveragePanel.ts';
import { PanelEditors } from './panelEditors.ts';
import type { PanelPorts } from './ports.ts';
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
