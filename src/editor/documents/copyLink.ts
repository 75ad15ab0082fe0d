import * as vscode from 'vscode';
import { reportGroups, reportIds } from '../common/arguments.ts';
import { linkTo } from './linkTarget.ts';
import type { DocumentPorts } from './ports.ts';

/** Copies links to the chosen reports and companies, a line each. */
export async function copyLink({ treeDrag }: DocumentPorts, args: readonly unknown[]): Promise<void> {
  const given = args.length > 0 && args[0] !== undefined ? args : [treeDrag.selection];
  const scheme = vscode.env.uriScheme;
  const companies = new Set(reportGroups(given).map(({ companyKey }) => companyKey));
  const links = [
    ...reportIds(given).map((id) => linkTo({ kind: 'report', idOrKey: id }, scheme)),
    ...[...companies].map((key) => linkTo({ kind: 'company', key }, scheme)),
  ];
  if (links.length === 0)
    throw new Error(vscode.l10n.t('Choose a report or a company in one of the trees first, then copy its link.'));
  await vscode.env.clipboard.writeText(links.join('\n'));
  vscode.window.setStatusBarMessage(
    links.length === 1 ? vscode.l10n.t('Link copied') : vscode.l10n.t('{0} links copied', links.length),
    3_000,
  );
}
