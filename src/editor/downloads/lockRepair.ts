import * as vscode from 'vscode';
import type { Services } from '../../app/session.ts';
import { systemClock } from '../../base/clock.ts';
import { brokenLockName, type ReportOfHash, rebuildLock } from '../../downloads/lockFile.ts';
import { type LockProblem, lockName } from '../../downloads/manifest.ts';
import { notificationText } from '../common/messages.ts';
import { withCountedProgress } from '../common/progress.ts';
import { pdfCount } from './batch.ts';
import { type ChosenFolder, downloadsFolderAt } from './downloadRoot.ts';

const pageSize = 1000;

/**
 * Says what is wrong with a folder's lock file, and offers to repair it.
 * @param modal true where a command waits for the lock
 * @returns whether the lock was repaired
 */
export async function offerRepair(
  chosen: ChosenFolder,
  problem: LockProblem,
  services: Services,
  modal: boolean,
): Promise<boolean> {
  const { root, folder } = chosen;
  const merge = vscode.l10n.t('Merge Both Sides');
  const open = vscode.l10n.t('Open File');
  const rebuild = vscode.l10n.t('Rebuild from Local PDFs');
  const mayWrite = (!root.isWorkspace || vscode.workspace.isTrusted) && problem.code !== 'newer';
  const buttons = [...(mayWrite && problem.code === 'conflict' ? [merge] : []), open, ...(mayWrite ? [rebuild] : [])];
  const detail = [
    problem.code === 'conflict' &&
      vscode.l10n.t('Merging keeps the reports of both sides, and the later download of a report that both have.'),
    mayWrite &&
      vscode.l10n.t(
        'Rebuilding compares the PDFs in {0} with your library and writes a new lock file. The old one is kept as {1}.',
        root.folder,
        brokenLockName,
      ),
  ];
  const options = modal ? { modal, detail: detail.filter((line) => line !== false).join('\n') } : {};
  // A toast has no room for all of it.
  const hint =
    !modal && problem.code === 'unreadable' && mayWrite
      ? vscode.l10n.t('Or rebuild it from the PDFs in {0}.', root.folder)
      : '';
  const text = notificationText(`${problem.message} ${hint}`);
  const choice = await vscode.window.showWarningMessage(text, options, ...buttons);
  if (choice === open) {
    await vscode.window.showTextDocument(vscode.Uri.joinPath(root.uri, root.folder, lockName));
    return false;
  }
  if (choice === merge) await folder.mergeConflict();
  if (choice === rebuild) await rebuildAndTell(chosen, services);
  return choice !== undefined;
}

async function rebuildAndTell({ root }: ChosenFolder, services: Services): Promise<void> {
  const { library } = await services.library();
  const { rows, unknown } = await withCountedProgress(
    vscode.l10n.t('Reading the PDFs in {0}', root.folder),
    (signal, onProgress) => {
      const find = async (hashes: ReadonlySet<string>) => {
        const found: ReportOfHash[] = [];
        for (let after: string | undefined | null; after !== null; ) {
          signal.throwIfAborted();
          const { items, next } = await library.reports({ state: 'all' }, { limit: pageSize, after });
          for (const { report_id, report_key, company_key, sha256 } of items)
            if (sha256 !== null && hashes.has(sha256)) found.push({ report_id, report_key, company_key, sha256 });
          after = next;
        }
        return found;
      };
      return rebuildLock(downloadsFolderAt(root), find, systemClock, { signal, onProgress });
    },
  );
  const counts = vscode.l10n.t('The lock file now lists {0}.', pdfCount(rows.length));
  const left =
    unknown.length === 0
      ? ''
      : vscode.l10n.t('PDFs that match no report in your library: {0}.', unknown.slice(0, 3).join(', '));
  void vscode.window.showInformationMessage(notificationText(`${counts} ${left}`.trim()));
}
