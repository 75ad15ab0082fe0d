import * as vscode from 'vscode';
import { reportGroups, reportIds } from '../common/arguments.ts';
import { commandIds } from '../common/contributions.ts';
import { showProblem } from '../common/messages.ts';
import type { DocumentPorts } from './ports.ts';

/** What a link names: a report by its id or key, or a company by its key. */
type LinkTarget =
  | { readonly kind: 'report'; readonly idOrKey: number | string }
  | { readonly kind: 'company'; readonly key: string };

const maxKeyLength = 200;
const idForm = /^[1-9]\d{0,15}$/;

/**
 * Reads the path of a link, `/report/<id or key>` or `/company/<key>`, already decoded by the editor. Anything else, and
 * anything that could not be a key, names nothing.
 */
export function linkTarget(path: string): LinkTarget | undefined {
  const [, kind, key] = /^\/(report|company)\/([^/\\?#\s]+)\/?$/.exec(path) ?? [];
  if (key === undefined || key.length > maxKeyLength || /[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(key)) return undefined;
  if (kind === 'company') return { kind, key };
  return { kind: 'report', idOrKey: idForm.test(key) && Number.isSafeInteger(Number(key)) ? Number(key) : key };
}

const authority = 'report-library.report-library';

/** A link that others can open: it shows the report or the company, and needs a licence of one's own. */
export function linkTo(target: LinkTarget, scheme: string): string {
  const key = target.kind === 'report' ? String(target.idOrKey) : target.key;
  return `${scheme}://${authority}/${target.kind}/${encodeURIComponent(key.toWellFormed())}`;
}

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

/**
 * Shows what a link names, from the library on this machine, and does nothing else: anybody may have written it. It
 * signs nobody in, asks the service nothing, downloads nothing, and takes no parameter.
 */
export async function openLink(
  { services, log }: Pick<DocumentPorts, 'services' | 'log'>,
  path: string,
): Promise<void> {
  try {
    const target = linkTarget(path);
    if (!target) return tell(vscode.l10n.t('This link names no report or company.'));
    if (!('connection' in (await services.ready()))) {
      return tell(vscode.l10n.t('This link leads into Report Library. Sign in there first, then open the link again.'));
    }
    const { library } = await services.library();
    if (target.kind === 'report') {
      const stored = await library.report(target.idOrKey);
      if (!stored)
        return tell(vscode.l10n.t('The report of this link is not in your library. It may be outside your licence.'));
      await vscode.commands.executeCommand(commandIds.openReport, stored.report.report_id);
      return;
    }
    const company = await library.company(target.key);
    if (!company)
      return tell(vscode.l10n.t('The company of this link is not in your library. It may be outside your licence.'));
    await vscode.commands.executeCommand(commandIds.openCompany, company.company_key);
  } catch (error) {
    showProblem(error, log);
  }
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}
