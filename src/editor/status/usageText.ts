import * as vscode from 'vscode';
import type { RateLimitStatus } from '../../api/client.ts';
import type { Entitlements, Usage } from '../../api/schemas/meta.ts';
import type { Contact } from '../../app/session.ts';
import { maxWait } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText, duration } from '../../base/words.ts';
import { farText, progressText, type SyncState } from '../common/syncState.ts';

const minute = 60_000;

/** What the status bar knows; null where nothing is known yet. */
export interface StatusFacts {
  readonly usage: Usage | null;
  readonly entitlements: Entitlements | null;
  readonly rate: RateLimitStatus | null;
  /** Now, in ms since the epoch. */
  readonly now: number;
  readonly sync?: SyncState | null;
  readonly contact?: Contact;
}

/** Whether a wait is too long to be waited for: then a person may end it. */
export function isLong(until: number, now: number): boolean {
  return until - now > maxWait;
}

function dateText(time: number): string {
  return new Date(time).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
}

/** Requests left in the running minute; a reading older than a minute means a full one (LIM-1). */
export function requestsLeft({ rate, now }: Pick<StatusFacts, 'rate' | 'now'>): number | null {
  if (!rate || rate.limit === null) return null;
  if (rate.readAt === null || rate.remaining === null) return null;
  return now - rate.readAt >= minute ? rate.limit : Math.max(0, rate.remaining);
}

/** The item's text: requests and PDFs this month, and what is left of this minute's rate (LIM-2); or the activity. */
export function itemText(facts: StatusFacts): string {
  const { usage, sync } = facts;
  const waiting = waitText(facts);
  if (waiting) return `$(library) ${waiting}`;
  if (facts.contact?.isOffline) return `$(debug-disconnect) ${vscode.l10n.t('Offline')}`;
  const load = sync?.running && sync.progress?.activity === 'loading' ? farText(sync.progress) : '';
  if (load) return `$(sync~spin) ${vscode.l10n.t('Loading {0}', load)}`;
  const parts = usage
    ? [
        short(usage.requests, l10n.later('1 request'), l10n.later('{0} requests')),
        short(usage.downloads, l10n.later('1 PDF'), l10n.later('{0} PDFs')),
      ]
    : ['Report Library'];
  const left = requestsLeft(facts);
  if (usage && left !== null) parts.push(vscode.l10n.t('{0}/min left', countText(left)));
  return `${sync?.running ? '$(sync~spin)' : '$(library)'} ${parts.join(' · ')}`;
}

/** The same as a sentence, for screen readers. */
export function itemLabel(facts: StatusFacts): string {
  const { usage, rate, sync } = facts;
  const waiting = waitText(facts);
  if (waiting) return `Report Library: ${waiting}, ${rate?.waiting?.reason ?? ''}`;
  if (facts.contact?.isOffline) return vscode.l10n.t('Report Library: offline. Last contact: {0}', lastContact(facts));
  if (sync?.running && sync.progress?.activity === 'loading') return `Report Library: ${progressText(sync.progress)}`;
  if (!usage) return vscode.l10n.t('Report Library: usage is not known yet');
  const used = vscode.l10n.t(
    'Report Library: {0} and {1} this month',
    counted(usage.requests ?? 0, l10n.later('1 request'), l10n.later('{0} requests')),
    counted(usage.downloads ?? 0, l10n.later('1 download'), l10n.later('{0} downloads')),
  );
  const left = requestsLeft(facts);
  if (left === null) return used;
  const requests = counted(left, l10n.later('1 request'), l10n.later('{0} requests'));
  return vscode.l10n.t('{0}, {1} left this minute', used, requests);
}

/** How long the service has asked to wait; empty when for nothing. */
function waitText({ rate, now }: StatusFacts): string {
  if (!rate?.waiting || rate.waiting.until <= now) return '';
  const { until } = rate.waiting;
  return isLong(until, now)
    ? vscode.l10n.t('Waiting until {0}', dateText(until))
    : vscode.l10n.t('Waiting {0}', duration(until - now));
}

/** A count with its unit, of large ones the first digits: the status bar is short. */
function short(count: number | null, one: string, other: string): string {
  if (count === null || count < 10_000) return count === null ? '–' : counted(count, one, other);
  const digits = new Intl.NumberFormat(l10n.language(), { notation: 'compact', maximumFractionDigits: 1 });
  return l10n.word(other).replace('{0}', digits.format(count));
}

/** Rows of the tooltip: what a person may want to know, label and value. */
export function tooltipRows(facts: StatusFacts): readonly (readonly [label: string, value: string])[] {
  const { usage, entitlements, rate } = facts;
  const rows: [string, string][] = [
    [vscode.l10n.t('Requests this month'), amount(usage?.requests)],
    [vscode.l10n.t('Downloads this month'), amount(usage?.downloads)],
  ];
  const left = requestsLeft(facts);
  if (facts.contact?.isOffline) rows.unshift([vscode.l10n.t('Last contact'), lastContact(facts)]);
  else if (left !== null && rate?.limit != null)
    rows.push([
      vscode.l10n.t('Requests left this minute'),
      vscode.l10n.t('{0} of {1}', countText(left), countText(rate.limit)),
    ]);
  if (entitlements) {
    rows.push([vscode.l10n.t('Fiscal years'), fiscalYears(entitlements)]);
    rows.push([vscode.l10n.t('Report types'), reportTypes(entitlements)]);
    if (entitlements.watchlist_size !== null)
      rows.push([vscode.l10n.t('Companies'), countText(entitlements.watchlist_size)]);
  }
  const { sync, now } = facts;
  if (sync) rows.push([vscode.l10n.t('Library'), libraryState(sync, now)]);
  return rows;
}

/** Why the last sync failed, in a sentence; null when it did not, or one is running. */
export function syncProblem({ sync }: StatusFacts): string | null {
  return sync && !sync.running ? sync.problem : null;
}

/** How true the library on this machine is, in words. */
function libraryState({ running, progress, syncedAt, problem }: SyncState, now: number): string {
  if (running && progress) return progressText(progress);
  const age = syncedAt === null ? vscode.l10n.t('not loaded yet') : vscode.l10n.t('synced {0}', ago(now - syncedAt));
  return problem === null ? age : vscode.l10n.t('{0}; the last sync failed', age);
}

/** When the service last answered this window. */
function lastContact({ contact, now }: StatusFacts): string {
  return contact?.at == null ? vscode.l10n.t('none since this window opened') : ago(now - contact.at);
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / minute);
  if (minutes < 1) return vscode.l10n.t('just now');
  const words = new Intl.RelativeTimeFormat(l10n.language());
  if (minutes < 60) return words.format(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? words.format(-hours, 'hour') : words.format(-Math.floor(hours / 24), 'day');
}

function fiscalYears({ full_access, fcyear_start, fcyear_end }: Entitlements): string {
  if (fcyear_start === null && fcyear_end === null)
    return full_access ? vscode.l10n.t('All') : vscode.l10n.t('Not stated');
  if (fcyear_end === null) return vscode.l10n.t('from {0}, open-ended', fcyear_start ?? '');
  return fcyear_start === null
    ? vscode.l10n.t('to {0}', fcyear_end)
    : vscode.l10n.t('{0} to {1}', fcyear_start, fcyear_end);
}

function reportTypes({ report_types }: Entitlements): string {
  if (report_types === null) return vscode.l10n.t('All');
  return report_types.length === 0 ? vscode.l10n.t('none') : report_types.join(', ');
}

function amount(value: number | null | undefined): string {
  return value == null ? '–' : countText(value);
}
