import * as vscode from 'vscode';
import { byteSize, plainText } from '../../base/words.ts';
import type { DownloadEntry, DownloadGroup } from './activity.ts';

/** What a group is called. */
export const groupTitles: Readonly<Record<DownloadGroup, string>> = {
  active: vscode.l10n.t('Downloading'),
  waiting: vscode.l10n.t('Waiting'),
  failed: vscode.l10n.t('Failed'),
  done: vscode.l10n.t('Done today'),
};

/** A download's name: that of its file, without the ending. */
export function entryName({ job }: DownloadEntry): string {
  const name = job.target.path.split('/').at(-1) ?? '';
  return plainText(name.replace(/\.pdf$/i, '')) || plainText(job.report.report_key);
}

/** How far a download is, or how it ended, in a few words. */
export function entryStatus({ state, bytes, total, result }: DownloadEntry): string {
  switch (state) {
    case 'waiting':
      return vscode.l10n.t('waiting');
    case 'active':
      if (bytes === 0) return vscode.l10n.t('starting');
      return total === null ? byteSize(bytes) : vscode.l10n.t('{0} of {1}', byteSize(bytes), byteSize(total));
    case 'failed':
      return plainText(result?.reason ?? vscode.l10n.t('It could not be downloaded.'));
    case 'done':
      return doneStatus(result);
    default:
      return state satisfies never;
  }
}

function doneStatus(result: DownloadEntry['result']): string {
  const size = result?.bytes === undefined ? [] : [byteSize(result.bytes)];
  const replaced = result?.replaced === undefined ? [] : [vscode.l10n.t('replaced an older version')];
  return [...size, result?.verified ? vscode.l10n.t('verified') : vscode.l10n.t('not verified'), ...replaced].join(
    ' · ',
  );
}

/** The whole of it, for a tooltip. */
export function entryTooltip(entry: DownloadEntry): string {
  const { job, result } = entry;
  const lines = [plainText(job.target.path), entryStatus(entry)];
  if (entry.state === 'done' && result?.reason !== undefined) lines.push(plainText(result.reason));
  return lines.join('\n');
}
