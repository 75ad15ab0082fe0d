import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import type { LocalLibrary } from '../../app/session.ts';
import { isAbortError } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { isEvidenceId } from '../../evidence/record.ts';
import type { LibraryCalls } from '../../library/library.ts';
import { placeSchema } from '../../protocol/pdfPreview.ts';
import { reportGroups, reportIds, startsWithId } from '../common/arguments.ts';
import { commandIds, viewIds } from '../common/contributions.ts';
import { problemText, showProblem } from '../common/messages.ts';
import { panelInFront } from '../common/panelUri.ts';
import { withCancellableProgress } from '../common/progress.ts';
import { filterFromArgument, type ReportsFilter } from '../common/reportsFilter.ts';
import { rememberedFilter } from '../common/savedFilters.ts';

/**
 * What a link names: a report by its id or key, and a page of its PDF; a company by its key; a quote by its id; or the
 * table of all reports and what it is narrowed to.
 */
type LinkTarget =
  | { readonly kind: 'report'; readonly idOrKey: number | string; readonly page?: number }
  | { readonly kind: 'company'; readonly key: string }
  | { readonly kind: 'evidence'; readonly key: string }
  | { readonly kind: 'table'; readonly filter: ReportsFilter };

const maxKeyLength = 200;
const idForm = /^[1-9]\d{0,15}$/;
/** Longest filter of a link as JSON, in characters. */
const maxFilterLength = 4000;
const unseen = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/**
 * Reads the path of a link, `/report/<id or key>`, `/company/<key>`, `/evidence/<id>` or `/table`, already decoded by
 * the editor, and behind its `#` a `page=<n>` of a report, or the `filter=<JSON>` of the table. Anything that could not
 * be a key or a filter gives undefined; other fragments of a report or company are ignored.
 */
export function linkTarget(path: string, fragment = ''): LinkTarget | undefined {
  if (/^\/table\/?$/.test(path)) {
    const filter = filterIn(fragment);
    return filter && { kind: 'table', filter };
  }
  const [, kind, key] = /^\/(report|company|evidence)\/([^/\\?#\s]+)\/?$/.exec(path) ?? [];
  if (key === undefined || key.length > maxKeyLength || /[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(key)) return undefined;
  if (kind === 'company') return { kind, key };
  if (kind === 'evidence') return isEvidenceId(key) ? { kind, key } : undefined;
  const page = /^page=([1-9]\d{0,5})$/.exec(fragment)?.[1];
  const idOrKey = idForm.test(key) && Number.isSafeInteger(Number(key)) ? Number(key) : key;
  return { kind: 'report', idOrKey, ...(page !== undefined && { page: Number(page) }) };
}

/** The filter behind a link's `#`; undefined where that is anything else. */
function filterIn(fragment: string): ReportsFilter | undefined {
  if (fragment === '') return {};
  const json = fragment.startsWith('filter=') ? fragment.slice('filter='.length) : '';
  if (json.length > maxFilterLength) return undefined;
  try {
    const given: unknown = JSON.parse(json, (_, value: unknown) => {
      if (typeof value === 'string' && unseen.test(value)) throw new Error('This text can’t all be seen.');
      return value;
    });
    return filterFromArgument(given);
  } catch {
    // Anybody may have written it: whatever is wrong with it, it is no filter.
    return undefined;
  }
}

const authority = 'report-library.report-library';

/**
 * A link that others can open: it shows the report, the company or the table, and needs a license of one's own.
 * @throws Error for a filter that is too long for a link, or has a text in it that can't be seen
 */
export function linkTo(target: LinkTarget, scheme: string): string {
  if (target.kind === 'table') {
    const json = JSON.stringify(target.filter);
    const fragment = json === '{}' ? '' : `filter=${json}`;
    if (!filterIn(fragment))
      throw new Error(vscode.l10n.t('This filter doesn’t fit into a link. Save it under a name instead.'));
    return `${scheme}://${authority}/table${fragment && `#filter=${encodeURIComponent(json)}`}`;
  }
  const key = target.kind === 'report' ? String(target.idOrKey) : target.key;
  const page = target.kind === 'report' && target.page !== undefined ? `#page=${target.page}` : '';
  return `${scheme}://${authority}/${target.kind}/${encodeURIComponent(key.toWellFormed())}${page}`;
}

/** What the table of all reports gives to Copy Link. */
function tableIn([argument]: readonly unknown[]): Extract<LinkTarget, { kind: 'table' }> | undefined {
  if (!isObject(argument) || argument.kind !== 'table') return undefined;
  return { kind: 'table', filter: filterFromArgument(argument.filter) };
}

/** What the panel in front shows, as a menu or a program would give it; else what is selected in a tree. */
function inFront({ treeDrag, extension }: Pick<App, 'treeDrag' | 'extension'>): unknown {
  const key = panelInFront();
  if (key?.kind === 'report') return key.reportId;
  if (key?.kind === 'company') return { company: { company_key: key.companyKey } };
  return key?.kind === 'table'
    ? { kind: 'table', filter: rememberedFilter(extension.workspaceState, 'table') }
    : treeDrag.selection;
}

/**
 * Copies links, a line each, to the chosen reports and companies, or to the table of all reports; without arguments, to
 * what the front panel shows, else to a tree's selection. A program that gives an id may name a page, too.
 */
export async function copyLink(app: Pick<App, 'treeDrag' | 'extension'>, args: readonly unknown[]): Promise<void> {
  const given = args.length > 0 && args[0] !== undefined ? args : [inFront(app)];
  const scheme = vscode.env.uriScheme;
  const table = tableIn(given);
  const companies = new Set(reportGroups(given).map(({ companyKey }) => companyKey));
  const { success, data: place } = placeSchema.safeParse(startsWithId(args) ? args[1] : undefined);
  const page = success && place.page !== undefined ? { page: place.page } : {};
  const links = [
    ...(table ? [linkTo(table, scheme)] : []),
    ...reportIds(given).map((id) => linkTo({ kind: 'report', idOrKey: id, ...page }, scheme)),
    ...[...companies].map((key) => linkTo({ kind: 'company', key }, scheme)),
  ];
  if (links.length === 0) throw new Error(vscode.l10n.t('Select or open a report or company, then copy its link.'));
  await vscode.env.clipboard.writeText(links.join('\n'));
  const copied = counted(links.length, l10n.later('Link copied'), l10n.later('{0} links copied'));
  vscode.window.setStatusBarMessage(copied, 3_000);
}

/**
 * Shows what a link names, from the library on this machine, and does nothing else: anybody may have written it. It
 * signs nobody in, asks the service for no report, downloads nothing, and runs no command that a link could name.
 */
export async function openDocumentLink(
  { services, log, downloads, evidence }: Pick<App, 'services' | 'log' | 'downloads' | 'evidence'>,
  path: string,
  fragment = '',
): Promise<void> {
  try {
    const target = linkTarget(path, fragment);
    if (!target) return tell(vscode.l10n.t('This link doesn’t lead to a report, a company or the table of reports.'));
    // Of the files in this workspace: nobody has to be signed in for it.
    if (target.kind === 'evidence') return void (await runOrTell(() => evidence.open(target.key)));
    if (!('connection' in (await services.ready())))
      return tell(vscode.l10n.t('This link opens in Report Library. Sign in first, then open the link again.'));
    if (target.kind === 'table') {
      await vscode.commands.executeCommand(commandIds.openTable, target.filter);
      return;
    }
    const local = await services.library();
    if (target.kind === 'report') {
      const id = (await lookUp(local, (library) => library.report(target.idOrKey)))?.report.report_id;
      if (id !== undefined) await openReport(downloads, id, target.page);
      else tell(vscode.l10n.t('The report of this link is not in your library. It may be outside your license.'));
    } else {
      const key = (await lookUp(local, (library) => library.company(target.key)))?.company_key;
      if (key !== undefined) await vscode.commands.executeCommand(commandIds.openCompany, key);
      else tell(vscode.l10n.t('The company of this link is not in your library. It may be outside your license.'));
    }
  } catch (error) {
    showProblem(error, log);
  }
}

/**
 * Looks in the library for what a link names. While that is loaded for the first time it may still come in: then the
 * Watchlist is shown, which starts the load and tells how far it is, and the answer waits for it.
 * @throws AbortError when a person cancels, an Error in words when another connection, or none, is in use meanwhile
 */
export async function lookUp<T>(
  { library, signal: connected }: Pick<LocalLibrary, 'library' | 'signal'>,
  look: (library: LibraryCalls) => Promise<T | null>,
): Promise<T | null> {
  const lookNow = async () => {
    // First: what comes in between is found.
    const isWhole = (await library.syncRecord()).phase === 'following';
    return { found: await look(library), isWhole };
  };
  const { found, isWhole } = await lookNow();
  if (found !== null || isWhole) return found;
  await vscode.commands.executeCommand(`${viewIds.watchlist}.focus`, { preserveFocus: true });
  return withCancellableProgress(vscode.l10n.t('Waiting for your library to load'), async (signal) => {
    const store = new DisposableStore();
    try {
      return await new Promise<T | null>((resolve, reject) => {
        const lookAgain = async () => {
          if (connected.aborted)
            throw new Error(
              vscode.l10n.t('You signed out or switched connections while the link was waiting. Open the link again.'),
            );
          const now = await lookNow();
          if (now.found !== null || now.isWhole) resolve(now.found);
        };
        const onChange = () => void lookAgain().catch(reject);
        store.add(library.onDidChange(onChange));
        connected.addEventListener('abort', onChange, { once: true });
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        onChange();
      });
    } finally {
      store.dispose();
    }
  });
}

/** Shows a page of the report's PDF; the report, and why, where the PDF is not on this computer or can't be opened. */
async function openReport(downloads: App['downloads'], id: number, page: number | undefined): Promise<void> {
  if (page !== undefined && (await runOrTell(() => downloads.openPdf(id, { page })))) return;
  await vscode.commands.executeCommand(commandIds.openReport, id);
}

/** Shows why something failed. False only then: what a person cancelled needs no words. */
async function runOrTell(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    if (isAbortError(error)) return true;
    tell(problemText(error));
    return false;
  }
  return true;
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}
