import * as vscode from 'vscode';
import type { RateLimitStatus } from '../../api/client.ts';
import type { Entitlements, Usage } from '../../api/schemas/meta.ts';
import { maxWait } from '../../api/transport/errors.ts';
import { progressText, type SyncState } from '../common/syncState.ts';

const minute = 60_000;

/** What the status bar knows; null where nothing is known yet. */
export interface UsageFacts {
  readonly usage: Usage | null;
  readonly entitlements: Entitlements | null;
  readonly rate: RateLimitStatus | null;
  /** Now, in ms since the epoch. */
  readonly now: number;
  readonly sync?: SyncState | null;
}

/** Whether a wait is too long to be waited for: then a person may send one request all the same. */
export function isLong(until: number, now: number): boolean {
  return until - now > maxWait;
}

function dateText(time: number): string {
  return new Date(time).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
}

/** Requests left in the running minute; a reading older than a minute means a full one (LIM-1). */
export function requestsLeft({ rate, now }: Pick<UsageFacts, 'rate' | 'now'>): number | null {
  if (!rate || rate.limit === null) return null;
  if (rate.readAt === null || rate.remaining === null) return null;
  return now - rate.readAt >= minute ? rate.limit : Math.max(0, rate.remaining);
}

/** The item's text, with codicons: requests and downloads this month, and what is left of this minute's rate (LIM-2). */
export function itemText(facts: UsageFacts): string {
  const { usage, rate, now, sync } = facts;
  if (rate?.waiting && rate.waiting.until > now)
    return isLong(rate.waiting.until, now)
      ? vscode.l10n.t('$(library) Waiting until {0}', dateText(rate.waiting.until))
      : vscode.l10n.t('$(library) Waiting {0} s', secondsUntil(rate.waiting.until, now));
  const parts = [sync?.running ? '$(sync~spin)' : '$(library)'];
  parts.push(`${amount(usage?.requests)}`, `$(cloud-download) ${amount(usage?.downloads)}`);
  const left = requestsLeft(facts);
  if (left !== null) parts.push(`$(dashboard) ${left.toLocaleString()}`);
  return parts.join(' ');
}

/** The same as a sentence, for screen readers. */
export function itemLabel(facts: UsageFacts): string {
  const { usage, rate, now } = facts;
  if (rate?.waiting && rate.waiting.until > now)
    return isLong(rate.waiting.until, now)
      ? vscode.l10n.t('Report Library: waiting until {0}, {1}', dateText(rate.waiting.until), rate.waiting.reason)
      : vscode.l10n.t(
          'Report Library: waiting {0} seconds, {1}',
          secondsUntil(rate.waiting.until, now),
          rate.waiting.reason,
        );
  const left = requestsLeft(facts);
  return (
    vscode.l10n.t(
      'Report Library: {0} requests and {1} downloads this month',
      amount(usage?.requests),
      amount(usage?.downloads),
    ) + (left === null ? '' : vscode.l10n.t(', {0} requests left this minute', left.toLocaleString()))
  );
}

/** Rows of the tooltip: what a person may want to know, label and value. */
export function tooltipRows(facts: UsageFacts): readonly (readonly [label: string, value: string])[] {
  const { usage, entitlements, rate } = facts;
  const rows: [string, string][] = [
    [vscode.l10n.t('Requests this month'), amount(usage?.requests)],
    [vscode.l10n.t('Downloads this month'), amount(usage?.downloads)],
  ];
  const left = requestsLeft(facts);
  if (left !== null && rate?.limit != null)
    rows.push([
      vscode.l10n.t('Left this minute'),
      vscode.l10n.t('{0} of {1} requests', left.toLocaleString(), rate.limit.toLocaleString()),
    ]);
  if (entitlements) {
    rows.push([vscode.l10n.t('Fiscal years'), fiscalYears(entitlements)]);
    rows.push([vscode.l10n.t('Report types'), reportTypes(entitlements)]);
    if (entitlements.watchlist_size !== null)
      rows.push([vscode.l10n.t('Companies'), entitlements.watchlist_size.toLocaleString()]);
  }
  const { sync, now } = facts;
  if (sync) rows.push([vscode.l10n.t('Library'), libraryState(sync, now)]);
  return rows;
}

/** Why the last sync failed, in a sentence; null when it did not, or one is running. */
export function syncProblem({ sync }: UsageFacts): string | null {
  return sync && !sync.running ? sync.problem : null;
}

/** How true the library on this machine is, in words. */
function libraryState({ running, progress, syncedAt, problem }: SyncState, now: number): string {
  if (running && progress) return progressText(progress);
  const age = syncedAt === null ? vscode.l10n.t('not loaded yet') : vscode.l10n.t('read {0}', ago(now - syncedAt));
  return problem === null ? age : vscode.l10n.t('{0}; the last sync failed', age);
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / minute);
  if (minutes < 1) return vscode.l10n.t('just now');
  if (minutes < 60) return minutes === 1 ? vscode.l10n.t('1 minute ago') : vscode.l10n.t('{0} minutes ago', minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours === 1 ? vscode.l10n.t('1 hour ago') : vscode.l10n.t('{0} hours ago', hours);
  return vscode.l10n.t('{0} days ago', Math.floor(hours / 24));
}

function fiscalYears({ full_access, fcyear_start, fcyear_end }: Entitlements): string {
  if (fcyear_start === null && fcyear_end === null)
    return full_access ? vscode.l10n.t('all') : vscode.l10n.t('not stated');
  if (fcyear_end === null) return vscode.l10n.t('from {0}, open-ended', fcyear_start ?? '');
  return fcyear_start === null
    ? vscode.l10n.t('to {0}', fcyear_end)
    : vscode.l10n.t('{0} to {1}', fcyear_start, fcyear_end);
}

function reportTypes({ report_types }: Entitlements): string {
  return report_types === null ? vscode.l10n.t('all') : report_types.join(', ');
}

function secondsUntil(until: number, now: number): number {
  return Math.ceil((until - now) / 1000);
}

function amount(value: number | null | undefined): string {
  return value == null ? '–' : value.toLocaleString();
}
