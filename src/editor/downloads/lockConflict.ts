import * as vscode from 'vscode';
import type { DownloadFolder } from '../../downloads/folder.ts';
import { LockProblem } from '../../downloads/manifest.ts';

/**
 * Offers to join the two sides of a merge conflict in a folder's lock file: reports of either side, and the later
 * download of a report on both.
 * @throws LockProblem when the person would rather do it by hand, and for any other trouble with the file
 */
export async function mergeConflict(folder: DownloadFolder): Promise<void> {
  try {
    await folder.rows();
  } catch (error) {
    if (!(error instanceof LockProblem && error.code === 'conflict')) throw error;
    const merge = vscode.l10n.t('Merge Both Sides');
    const detail = vscode.l10n.t(
      'Merging keeps the reports of both sides, and the later download of a report that both have.',
    );
    if ((await vscode.window.showWarningMessage(error.message, { modal: true, detail }, merge)) !== merge) throw error;
    await folder.mergeConflict();
  }
}
