import * as vscode from 'vscode';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { labelText } from './plainText.ts';
import { typeLabel } from './reportNode.ts';

/** A report as a row of a picker: its title, then whose it is, the fiscal year and the type. */
export function reportRow(report: ReportSummary): vscode.QuickPickItem {
  const year = report.fiscal_year === null ? vscode.l10n.t('undated') : String(report.fiscal_year);
  const gone = report.state === 'listed' ? null : vscode.l10n.t('withdrawn');
  const notes = [report.company_name ?? report.company_key, year, typeLabel(report.type), gone];
  return {
    label: `$(${report.state === 'listed' ? 'file-text' : 'circle-slash'}) ${labelText(report.title ?? report.report_key)}`,
    description: labelText(notes.filter((note) => note !== null).join(' · ')),
  };
}
