import * as vscode from 'vscode';
import type { Channel } from '../../base/rpc.ts';
import type { Asked, AskHow } from '../../protocol/askedResults.ts';
import { type LookupEntry, lookupRows, lookupStatusOf } from '../../protocol/lookupView.ts';
import { lookupTable, type ResultTable, resolveTable } from '../../protocol/resolveExport.ts';
import {
  firstOf,
  type ResultsAbout,
  type ResultsSubject,
  type resolveProtocol,
} from '../../protocol/resolveResults.ts';
import { type ResolveEntry, resolveRows, statusOf } from '../../protocol/resolveView.ts';
import type { PanelContext } from './context.ts';

export type ResultsChannel = Channel<typeof resolveProtocol.host, typeof resolveProtocol.page>;

/** What differs between results about companies and results about reports. */
export interface SubjectOf<Entry> {
  readonly subject: ResultsSubject;
  readonly title: string;
  ask(queries: readonly string[], how: AskHow): Promise<Asked<Entry>>;
  /** Sends the first rows of a long list, or all. */
  send(channel: ResultsChannel, entries: readonly Entry[], about: ResultsAbout, how: 'start' | 'whole'): void;
  table(entries: readonly Entry[]): ResultTable;
  canDownload(entry: Entry): boolean;
  /** Offers what of these can be downloaded; a person confirms the plan. */
  download(entries: readonly Entry[]): Promise<void>;
}

export function companySubject(context: PanelContext): SubjectOf<ResolveEntry> {
  return {
    subject: 'companies',
    title: vscode.l10n.t('Resolved Identifiers'),
    ask: (queries, how) => context.resolve(queries, how),
    send(channel, all, about, how) {
      const { entries, rest } = how === 'start' ? firstOf(all, statusOf) : { entries: all, rest: null };
      channel.send('show', { rows: resolveRows(entries), about, rest });
    },
    table: resolveTable,
    canDownload: (entry) => entitledKey(entry) !== null,
    download: (entries) =>
      context.downloadCompanies([...new Set(entries.flatMap((entry) => entitledKey(entry) ?? []))]),
  };
}

export function reportSubject(context: PanelContext): SubjectOf<LookupEntry> {
  return {
    subject: 'reports',
    title: vscode.l10n.t('Report Keys'),
    ask: (queries, how) => context.lookup(queries, how),
    send(channel, all, about, how) {
      const { entries, rest } = how === 'start' ? firstOf(all, lookupStatusOf) : { entries: all, rest: null };
      channel.send('showReports', { rows: lookupRows(entries), about, rest });
    },
    table: lookupTable,
    canDownload: ({ result }) => result?.report_id != null,
    download: (entries) =>
      context.downloadReports([...new Set(entries.flatMap(({ result }) => result?.report_id ?? []))]),
  };
}

/** The key of the company that an entry led to and that the licence covers. */
export function entitledKey(entry: ResolveEntry): string | null {
  return statusOf(entry) === 'entitled' ? (entry.result?.company?.company_key ?? null) : null;
}
