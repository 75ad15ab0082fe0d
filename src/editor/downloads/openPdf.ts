import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { reportIds, startsWithId } from '../common/arguments.ts';
import { openPdfFile } from '../common/openPdfFile.ts';
import { choosePdf, downloadReports } from './downloadCommand.ts';
import type { WorkspaceDownloads } from './workspaceDownloads.ts';

interface OpenPdfContext {
  readonly services: Services;
  readonly downloads: WorkspaceDownloads;
  noteChanged(reportIds: readonly number[]): void;
}

const download = vscode.l10n.t('Download and Open');

/**
 * Opens a report's PDF: the workspace's file, else the copy that this machine keeps. When there is neither, a person is
 * offered the download; a program gets an error.
 */
export async function openPdf(context: OpenPdfContext, args: readonly unknown[]): Promise<void> {
  const { downloads } = context;
  const [id] = reportIds(args);
  if (id === undefined) {
    const pdfs = await downloads.localPdfs();
    if (pdfs.length === 0) {
      throw new Error(
        vscode.l10n.t('No PDFs are in this workspace yet. Download PDFs… on a report of the Watchlist gets one.'),
      );
    }
    const chosen = await choosePdf(pdfs.map(({ row, path, uri }) => ({ name: row.report_key, path, uri })));
    if (chosen) await openPdfFile(chosen);
    return;
  }
  const found = (await downloads.find(id))?.uri ?? (await keptCopy(context, id));
  if (found) return openPdfFile(found);
  const missing = vscode.l10n.t('The PDF of this report is not on this machine yet.');
  if (startsWithId(args)) throw new Error(vscode.l10n.t('{0} Download it first, then open it.', missing));
  const answer = await vscode.window.showInformationMessage(missing, download);
  if (answer !== download) return;
  const downloaded = await downloadReports(downloads, { ids: [id], mayAsk: true });
  if (!downloaded) return;
  context.noteChanged([id]);
  const [result] = downloaded.results;
  if (result?.path === undefined) {
    if (result?.status === 'cancelled') return;
    throw new Error(result?.reason ?? vscode.l10n.t('The PDF could not be downloaded.'));
  }
  await openPdfFile(vscode.Uri.joinPath(downloaded.root.uri, result.path));
}

/** A copy with a readable name of what this machine keeps of a report; asks the service nothing. */
async function keptCopy({ services, downloads }: OpenPdfContext, id: number): Promise<vscode.Uri | undefined> {
  if (!('connection' in (await services.ready()))) return undefined;
  const stored = await (await services.library()).library.report(id);
  return stored ? downloads.keptCopy(stored.report) : undefined;
}
