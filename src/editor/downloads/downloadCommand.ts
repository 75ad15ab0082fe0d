import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { byteSize } from '../../base/words.ts';
import { planSentence } from '../../downloads/plan.ts';
import { summarySentence } from '../../downloads/queue.ts';
import type { DownloadResult } from '../../downloads/result.ts';
import { commandIds } from '../common/contributions.ts';
import { notificationText, withCancellableProgress } from '../common/messages.ts';
import { openPdfFile } from '../common/openPdfFile.ts';
import { choosePdf } from './choosePdf.ts';
import type { DownloadRoot } from './downloadRoot.ts';
import { type DownloadOutcome, outcomesOf } from './outcomes.ts';
import type { DownloadPlace, WorkspaceDownloads } from './workspaceDownloads.ts';

export interface DownloadRequest {
  readonly ids: readonly number[];
  /** A person may be asked where to, and whether a large download is meant. */
  readonly mayAsk: boolean;
  /** Reports that need not be read again; a hash that changed meanwhile is found out by the download itself. */
  readonly inHand?: ReadonlyMap<number, Report>;
}

/** How a download ended, with where it went. */
export interface Downloaded {
  readonly root: DownloadRoot;
  readonly results: readonly DownloadResult[];
  readonly outcomes: readonly DownloadOutcome[];
}

/**
 * Downloads the PDFs of reports with progress and a cancel. More than one is planned first and told to a person from
 * local data alone. Undefined when the person leaves.
 */
export async function downloadReports(
  downloads: WorkspaceDownloads,
  { ids, mayAsk, inHand = new Map() }: DownloadRequest,
): Promise<Downloaded | undefined> {
  let place = await downloads.folder(mayAsk);
  if (!place) return undefined;
  const title =
    ids.length === 1
      ? vscode.l10n.t('Downloading PDF')
      : vscode.l10n.t('Downloading {0} PDFs', ids.length.toLocaleString());
  let reports: Report[] | undefined;
  if (mayAsk && ids.length > 1) {
    const isAllInHand = ids.every((id) => inHand.has(id));
    const read = (signal: AbortSignal) => downloads.reports(ids, signal, inHand);
    reports = await (isAllInHand
      ? read(new AbortController().signal)
      : withCancellableProgress(vscode.l10n.t('Reading reports'), read));
    for (let answer = await confirm(place, reports); answer !== 'go'; answer = await confirm(place, reports)) {
      place = answer === 'elsewhere' ? await downloads.otherFolder() : undefined;
      if (!place) return undefined;
    }
  }
  const [known, { folder, root }] = [reports, place];
  const results = await withCancellableProgress(title, async (signal, progress) => {
    const wanted = known ?? (await downloads.reports(ids, signal, inHand));
    let done = 0;
    return folder.download(wanted, {
      signal,
      priority: 'interactive',
      onEvent(event) {
        if (event.state === 'active' && wanted.length === 1)
          progress.report({ message: bytesOf(event.bytes, event.total) });
        if (event.state !== 'done') return;
        done += 1;
        if (wanted.length > 1) {
          progress.report({
            message: vscode.l10n.t('{0} of {1}', done, wanted.length),
            increment: 100 / wanted.length,
          });
        }
      },
    });
  });
  return { root, results, outcomes: outcomesOf(ids, results) };
}

/** Tells a person once how it ended. Nothing opens by itself. */
export async function tellDownloaded({ root, results }: Downloaded): Promise<void> {
  if (results.every(({ status }) => status === 'cancelled')) return;
  const [first] = results;
  const files = results.flatMap(({ path, report }) =>
    path === undefined ? [] : [{ name: report.report_key, path, uri: vscode.Uri.joinPath(root.uri, path) }],
  );
  const [file] = files;
  const insert = vscode.l10n.t('Insert into Notebook');
  const reveal = vscode.l10n.t('Reveal');
  const open = files.length === 1 ? vscode.l10n.t('Open') : vscode.l10n.t('Open…');
  const buttons = file === undefined ? [] : [open, reveal, insert];
  const failed = results.some(({ status }) => status === 'failed');
  const text = results.length === 1 && first ? single(first) : manySentence(results);
  const tell = failed ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const choice = await tell(notificationText(text), ...buttons);
  if (choice === undefined || file === undefined) return;
  if (choice === reveal) {
    await vscode.commands.executeCommand('revealInExplorer', file.uri);
    return;
  }
  if (choice === insert) {
    const here = results.filter(({ path }) => path !== undefined);
    // As a menu gives its selection, so that a person is asked where to when no document is open.
    const nodes = here.map(({ report: { report_id } }) => ({ kind: 'report', report: { report_id } }));
    await vscode.commands.executeCommand(commandIds.insertIntoNotebook, nodes[0], nodes);
    return;
  }
  const chosen = await choosePdf(files);
  if (chosen) await openPdfFile(chosen);
}

function manySentence(results: readonly DownloadResult[]): string {
  const reason = results.find(({ status, reason }) => status === 'failed' && reason !== undefined)?.reason;
  return reason === undefined ? summarySentence(results) : `${summarySentence(results)} ${reason}`;
}

function single({ status, path, bytes, verified, reason }: DownloadResult): string {
  switch (status) {
    case 'downloaded': {
      const size = bytes === undefined ? '' : ` (${byteSize(bytes)})`;
      return verified
        ? vscode.l10n.t('Downloaded and verified: {0}{1}', path ?? '', size)
        : vscode.l10n.t('Downloaded, not verified: {0}{1}. {2}', path ?? '', size, reason ?? '');
    }
    case 'unchanged':
      return vscode.l10n.t('Already here: {0}. Nothing was downloaded.', path ?? '');
    case 'no-file':
    case 'not-entitled':
    case 'failed':
    case 'cancelled':
      return reason ?? vscode.l10n.t('The PDF could not be downloaded.');
    default:
      return status satisfies never;
  }
}

/** Tells the plan. With several folders it says which one is meant, and lets a person choose another. */
async function confirm(
  { root, folder }: DownloadPlace,
  reports: readonly Report[],
): Promise<'go' | 'elsewhere' | 'leave'> {
  const plan = await folder.plan(reports);
  if (plan.toDownload.length + plan.toCopy.length === 0) return 'go';
  const [go, elsewhere] = [vscode.l10n.t('Download'), vscode.l10n.t('Choose Folder…')];
  const isOneOfSeveral = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const name = isOneOfSeveral ? vscode.workspace.getWorkspaceFolder(root.uri)?.name : undefined;
  const detail = name === undefined ? undefined : vscode.l10n.t('They go to {0} in {1}.', root.folder, name);
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  const buttons = isOneOfSeveral ? [go, elsewhere] : [go];
  const choice = await vscode.window.showInformationMessage(planSentence(plan), options, ...buttons);
  if (choice === undefined) return 'leave';
  return choice === go ? 'go' : 'elsewhere';
}

function bytesOf(bytes: number, total: number | null): string {
  return total === null ? byteSize(bytes) : vscode.l10n.t('{0} of {1}', byteSize(bytes), byteSize(total));
}
