import * as vscode from 'vscode';
import { reportTypeName } from '../../api/schemas/reportTypes.ts';
import type { StoredReport } from '../../library/store.ts';
import { formatLanguages } from '../../protocol/format/numbers.ts';
import { commandIds } from '../common/contributions.ts';
import { linkLine, PlainMarkdown } from './markdown.ts';

/** A report in a hover. The cover year in its key and its fiscal year are never mixed up (RID-3). */
export function reportContents({ report, state, fiscal_year, askedFor }: StoredReport): vscode.MarkdownString[] {
  const { report_title, report_key, company_name, company_key, report_type, fiscal_year_label, report_year } = report;
  const { report_lang, report_pages, report_pubdate_iso, has_file } = report;
  const label = fiscal_year_label && fiscal_year_label !== `${fiscal_year}` ? ` (${fiscal_year_label})` : '';
  const language = report_lang === null ? null : formatLanguages(report_lang, vscode.env.language);
  const plain = new PlainMarkdown()
    .bold(report.metadata.title || report_title || report_key)
    .ours('\n\n')
    .dotted([company_name ?? company_key, report_type === null ? null : reportTypeName(report_type)])
    .ours('\n\n')
    .dotted([
      fiscal_year === null ? vscode.l10n.t('Undated') : vscode.l10n.t('Fiscal year {0}{1}', fiscal_year, label),
      report_year ? vscode.l10n.t('cover year {0}', report_year) : null,
      language,
      report_pages === null ? null : vscode.l10n.t('{0} pages', report_pages),
      report_pubdate_iso === null ? null : vscode.l10n.t('published {0}', report_pubdate_iso),
    ]);
  if (askedFor !== null)
    plain.ours('\n\n').text(vscode.l10n.t('This key was renamed; the report now goes by ')).code(report_key);
  if (state === 'withdrawn')
    plain.ours('\n\n').text(vscode.l10n.t('Withdrawn by the service; the metadata here is the last it gave.'));
  if (state === 'removed')
    plain.ours('\n\n').text(vscode.l10n.t('No longer served; the metadata here is the last the service gave.'));
  if (has_file === false) plain.ours('\n\n').text(vscode.l10n.t('The service holds no PDF for this report.'));
  const links = [
    { title: vscode.l10n.t('Open Report'), command: commandIds.openReport, argument: report.report_id },
    { title: vscode.l10n.t('Open Company'), command: commandIds.showCompany, argument: company_key },
  ];
  return [plain.markdown, linkLine(links)];
}
