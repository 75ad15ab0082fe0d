import * as vscode from 'vscode';
import { type Place, placeSchema } from '../../protocol/pdfPreview.ts';
import { reportIds, startsWithId } from '../common/arguments.ts';
import { fileName, labelText } from '../common/messages.ts';
import { openPdfFile } from '../common/openPdfFile.ts';
import { withCancellableProgress } from '../common/progress.ts';
import { endingWords, tell } from './batch.ts';
import { choosePdf, downloadReports, noPdf } from './downloadCommand.ts';
import type { LocalPdf } from './downloadRoot.ts';
import type { DownloadsContext, WorkspaceDownloads } from './workspaceDownloads.ts';

/**
 * Opens a report's PDF, at a position if one is given. Without a local copy a person is offered the download; a program
 * gets an error. Without a report a person chooses.
 * @param selected the reports that are selected in a tree, with which the choice begins
 */
export async function openPdf(
  context: DownloadsContext,
  args: readonly unknown[],
  selected: readonly number[] = [],
): Promise<void> {
  const { downloads } = context;
  const place = startsWithId(args) ? placeOf(args[1]) : undefined;
  const [id] = reportIds(args);
  if (id === undefined) {
    const pdfs = await downloads.localPdfs();
    if (pdfs.length === 0)
      throw new Error(
        vscode.l10n.t('This workspace has no PDFs yet. Run Download PDFs… on a report in the Watchlist.'),
      );
    const choices = pdfs.map((pdf) => ({ ...pdf, reportId: pdf.row.report_id, reportKey: pdf.row.report_key }));
    const chosen = await choosePdf(context.services, choices, selected);
    if (chosen) await openChecked(downloads, chosen);
    return;
  }
  const found = await downloads.find(id);
  if (found) return openChecked(downloads, found, place);
  const kept = await keptCopy(context, id);
  if (kept) return openPdfFile(kept, { reportId: id, place });
  const missing = vscode.l10n.t('The PDF of this report is not on this computer yet.');
  if (startsWithId(args)) throw new Error(vscode.l10n.t('{0} Download it first, then open it.', missing));
  const downloadAndOpen = vscode.l10n.t('Download and Open');
  if ((await tell(missing, false, [downloadAndOpen])) !== downloadAndOpen) return;
  const downloaded = await downloadReports(context, [id], true);
  if (!downloaded) return;
  const [result] = downloaded.results;
  if (result?.status === 'cancelled') return;
  if (result?.path === undefined) throw new Error(result?.reason ?? noPdf());
  await openPdfFile(vscode.Uri.joinPath(downloaded.root.uri, result.path), { reportId: id });
}

/** The place that a program gave. @throws Error when it is none */
function placeOf(given: unknown): Place | undefined {
  if (given === undefined || given === null) return undefined;
  const { success, data } = placeSchema.safeParse(given);
  if (!success)
    throw new Error('A PDF opens at {page?, text?}: a page from 1 on, a text of at most 1000 characters, or both.');
  return data.page === undefined && data.text === undefined ? undefined : data;
}

const toldFor = 8000;

/** Opens a PDF after its bytes were read and compared, and says what that found. */
async function openChecked(downloads: WorkspaceDownloads, pdf: LocalPdf, place?: Place): Promise<void> {
  const title = vscode.l10n.t('Checking {0}', pdf.path);
  const { state, reason } = await withCancellableProgress(title, (signal) => downloads.check(pdf, true, signal));
  if (state === 'missing' || state === 'unreadable' || state === 'lfs-pointer')
    throw new Error(reason ?? vscode.l10n.t('{0} no longer exists.', pdf.path));
  await openPdfFile(pdf.uri, { reportId: pdf.row.report_id, place });
  const name = labelText(fileName(pdf));
  if (state === 'edited' || state === 'line-ends') {
    void tell(reason ?? vscode.l10n.t('{0} was edited since it was downloaded.', name), true, []);
    return;
  }
  const icon = { verified: 'verified-filled', newer: 'arrow-circle-up' }[state as string] ?? 'unverified';
  vscode.window.setStatusBarMessage(`$(${icon}) ${name}: ${endingWords[state]}`, toldFor);
}

/** A copy with a readable name of what this machine keeps of a report; asks the service nothing. */
async function keptCopy({ services, downloads }: DownloadsContext, id: number): Promise<vscode.Uri | undefined> {
  if (!('connection' in (await services.ready()))) return undefined;
  const stored = await (await services.library()).library.report(id);
  return stored ? downloads.keptCopy(stored.report) : undefined;
}
