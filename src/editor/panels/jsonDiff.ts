import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { oneLine } from '../../protocol/format/visibleText.ts';
import { labelText } from '../common/messages.ts';
import type { TextDocuments } from './textDocuments.ts';

/** Longest name of a report in the diff's title, in characters. */
const longestName = 60;

/** Shows two reports in the editor's own diff, as the JSON that the service sent; of more than two, asks which. */
export async function diffAsJson(reports: readonly Report[], documents: TextDocuments): Promise<void> {
  const pair = reports.length > 2 ? await choosePair(reports) : reports;
  const [left, right] = pair ?? [];
  if (!left || !right) return;
  await vscode.commands.executeCommand(
    'vscode.diff',
    documents.put(fileName(left), json(left)),
    documents.put(fileName(right), json(right)),
    `${oneLine(left.report_key, longestName)} ↔ ${oneLine(right.report_key, longestName)}`,
  );
}

async function choosePair(reports: readonly Report[]): Promise<readonly Report[] | undefined> {
  const items = reports.flatMap((left, index) =>
    reports.slice(index + 1).map((right) => ({
      label: labelText(`${left.report_key} ↔ ${right.report_key}`),
      pair: [left, right],
    })),
  );
  const choice = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Compare as JSON'),
    placeHolder: vscode.l10n.t('Which two reports?'),
  });
  return choice?.pair;
}

/** Two reports may share a key that was renamed; their ids tell them apart. */
function fileName({ report_id, report_key }: Report): string {
  return `${report_id}/${report_key.replaceAll('/', '-')}.json`;
}

function json(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
