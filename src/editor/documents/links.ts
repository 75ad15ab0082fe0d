import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import type { LibraryCalls } from '../../library/library.ts';
import { placeSchema } from '../../protocol/pdfPreview.ts';
import type { LocalLibrary } from '../../services.ts';
import { reportGroups, reportIds, startsWithId } from '../common/arguments.ts';
import { commandIds, viewIds } from '../common/contributions.ts';
import { isCancelledCommand, showProblem, withLateProgress } from '../common/messages.ts';
import type { DocumentPorts } from './ports.ts';

/** What a link names: a report by its id or key, and a page of its PDF, or a company by its key. */
type LinkTarget =
  | { readonly kind: 'report'; readonly idOrKey: number | string; readonly page?: number }
  | { readonly kind: 'company'; readonly key: string };

const maxKeyLength = 200;
const idForm = /^[1-9]\d{0,15}$/;

/**
 * Reads the path of a link, `/report/<id or key>` or `/company/<key>`, already decoded by the editor, and `page=<n>` behind
 * its `#`. Anything else, and anything that could not be a key, names nothing; another fragment is as good as none.
 */
export function linkTarget(path: string, fragment = ''): LinkTarget | undefined {
  const [, kind, key] = /^\/(report|company)\/([^/\\?#\s]+)\/?$/.exec(path) ?? [];
  if (key === undefined || key.length > maxKeyLength || /[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(key)) return undefined;
  if (kind === 'company') return { kind, key };
  const page = /^page=([1-9]\d{0,5})$/.exec(fragment)?.[1];
  const idOrKey = idForm.test(key) && Number.isSafeInteger(Number(key)) ? Number(key) : key;
  return { kind: 'report', idOrKey, ...(page !== undefined && { page: Number(page) }) };
}

const authority = 'report-library.report-library';

/** A link that others can open: it shows the report or the company, and needs a licence of one's own. */
export function linkTo(target: LinkTarget, scheme: string): string {
  const key = target.kind === 'report' ? String(target.idOrKey) : target.key;
  const page = target.kind === 'report' && target.page !== undefined ? `#page=${target.page}` : '';
  return `${scheme}://${authority}/${target.kind}/${encodeURIComponent(key.toWellFormed())}${page}`;
}

/** Copies links to the chosen reports and companies, a line each; a program that gives an id may name a page, too. */
export async function copyLink({ treeDrag }: DocumentPorts, args: readonly unknown[]): Promise<void> {
  const given = args.length > 0 && args[0] !== undefined ? args : [treeDrag.selection];
  const scheme = vscode.env.uriScheme;
  const companies = new Set(reportGroups(given).map(({ companyKey }) => companyKey));
  const { success, data: place } = placeSchema.safeParse(startsWithId(args) ? args[1] : undefined);
  const page = success && place.page !== undefined ? { page: place.page } : {};
  const links = [
    ...reportIds(given).map((id) => linkTo({ kind: 'report', idOrKey: id, ...page }, scheme)),
    ...[...companies].map((key) => linkTo({ kind: 'company', key }, scheme)),
  ];
  if (links.length === 0)
    throw new Error(vscode.l10n.t('Choose a report or a company in one of the trees first, then copy its link.'));
  await vscode.env.clipboard.writeText(links.join('\n'));
  const copied = counted(links.length, l10n.later('Link copied'), l10n.later('{0} links copied'));
  vscode.window.setStatusBarMessage(copied, 3_000);
}

/**
 * Shows what a link names, from the library on this machine, and does nothing else: anybody may have written it. It
 * signs nobody in, asks the service nothing, downloads nothing, and takes no parameter.
 */
export async function openLink(
  { services, log }: Pick<DocumentPorts, 'services' | 'log'>,
  path: string,
  fragment = '',
): Promise<void> {
  try {
    const target = linkTarget(path, fragment);
    if (!target) return tell(vscode.l10n.t("This link doesn't lead to a report or company."));
    if (!('connection' in (await services.ready()))) {
      return tell(vscode.l10n.t('This link opens in Report Library. Sign in first, then open the link again.'));
    }
    const local = await services.library();
    if (target.kind === 'report') {
      const id = (await lookUp(local, (library) => library.report(target.idOrKey)))?.report.report_id;
      if (id !== undefined) await openReport(id, target.page);
      else tell(vscode.l10n.t('The report of this link is not in your library. It may be outside your licence.'));
    } else {
      const key = (await lookUp(local, (library) => library.company(target.key)))?.company_key;
      if (key !== undefined) await vscode.commands.executeCommand(commandIds.openCompany, key);
      else tell(vscode.l10n.t('The company of this link is not in your library. It may be outside your licence.'));
    }
  } catch (error) {
    showProblem(error, log);
  }
}

/**
 * Looks in the library for what a link names. While that is loaded for the first time it may still come in: then the
 * Watchlist is shown, which starts the load and tells how far it is, and the answer waits for it.
 * @throws AbortError when a person cancels
 */
export async function lookUp<T>(
  { library }: Pick<LocalLibrary, 'library'>,
  look: (library: LibraryCalls) => Promise<T | null>,
): Promise<T | null> {
  const lookNow = async () => {
    // First: what comes in between is found.
    const isWhole = (await library.syncRecord()).phase === 'following';
    return { found: await look(library), isWhole };
  };
  let { found, isWhole } = await lookNow();
  if (found !== null || isWhole) return found;
  await vscode.commands.executeCommand(`${viewIds.watchlist}.focus`, { preserveFocus: true });
  return withLateProgress(vscode.l10n.t('Waiting for your library to load'), async (signal) => {
    let wake = () => {};
    const following = library.onDidChange(() => wake());
    signal.addEventListener('abort', () => wake(), { once: true });
    try {
      for (;;) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        signal.throwIfAborted();
        ({ found, isWhole } = await lookNow());
        if (found !== null || isWhole) return found;
        await woken;
      }
    } finally {
      following.dispose();
    }
  });
}

/** Shows a page of the report's PDF; the report, and why, where the PDF is not on this computer or can't be opened. */
async function openReport(id: number, page: number | undefined): Promise<void> {
  if (page !== undefined) {
    try {
      await vscode.commands.executeCommand(commandIds.openPdf, id, { page });
      return;
    } catch (error) {
      if (isCancelledCommand(error)) return;
      // Its words are fit to be shown: a command that a program ran has no others.
      tell(error instanceof Error ? error.message : String(error));
    }
  }
  await vscode.commands.executeCommand(commandIds.openReport, id);
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}
