import { type Clock, systemClock } from '../base/clock.ts';
import type { Event } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { isLoopback, type Secret } from '../base/secret.ts';
import { memoryState, type SharedState } from '../base/sharedState.ts';
import { checkApiKey, checkBaseUrl } from './credentials.ts';
import { listWatchlist, resolveIdentifiers } from './endpoints/companies.ts';
import {
  type FieldGuide,
  type FieldGuideOptions,
  getEntitlements,
  getFieldGuide,
  getFrameworks,
  getHealth,
  getSchema,
  getUsage,
} from './endpoints/meta.ts';
import {
  getChangesPage,
  getDownloadLink,
  getReport,
  getReportsPage,
  listChanges,
  listReports,
  lookupReportKeys,
  type ReportFilter,
} from './endpoints/reports.ts';
import type { Company, IdentifierQuery, ResolveResult } from './schemas/company.ts';
import type { LookupResult } from './schemas/lookup.ts';
import type { Entitlements, Frameworks, Health, Usage } from './schemas/meta.ts';
import type { CallOptions, ListOptions, Page, RawPage } from './schemas/page.ts';
import type { Change, ChangesFrom, DownloadLink, Report } from './schemas/report.ts';
import type { SchemaDictionary } from './schemas/schemaDictionary.ts';
import { badRequest } from './transport/errors.ts';
import { RequestLedger } from './transport/ledger.ts';
import { type FileResponse, forbiddenAddress, isPublic, type OpenLinkOptions, openLink } from './transport/link.ts';
import { type NetworkOptions, wireMaker } from './transport/network.ts';
import { type RateLimitStatus, RequestScheduler } from './transport/scheduler.ts';
import { createService, type RetryWait } from './transport/service.ts';

export type { ReportFilter } from './endpoints/reports.ts';
export type { CallOptions, ListOptions } from './schemas/page.ts';
export type { FileResponse, OpenLinkOptions } from './transport/link.ts';
export type { NetworkOptions } from './transport/network.ts';
export type { RateLimitStatus } from './transport/scheduler.ts';
export type { RetryWait } from './transport/service.ts';

/** The service's thirteen endpoints, and the fetch of a signed link. Every call may throw an `ApiError`. */
export interface Client {
  health(options?: CallOptions): Promise<Health>;
  entitlements(options?: CallOptions): Promise<Entitlements>;
  watchlist(options?: ListOptions): AsyncIterable<Page<Company>>;
  resolve(queries: readonly IdentifierQuery[], options?: CallOptions): Promise<readonly ResolveResult[]>;
  reports(filter?: ReportFilter, options?: ListOptions): AsyncIterable<Page<Report>>;
  changes(from: ChangesFrom, options?: ListOptions): AsyncIterable<Page<Change>>;
  /** One page of reports or changes, unread: a worker reads it with `readReportsPage` or `readChangesPage`. */
  reportsPage(filter?: ReportFilter, options?: ListOptions): Promise<RawPage>;
  changesPage(from: ChangesFrom, options?: ListOptions): Promise<RawPage>;
  lookup(reportKeys: readonly string[], options?: CallOptions): Promise<readonly LookupResult[]>;
  report(reportId: number, options?: CallOptions): Promise<Report>;
  downloadLink(reportId: number, options?: CallOptions): Promise<DownloadLink>;
  schema(options?: CallOptions): Promise<SchemaDictionary>;
  fieldGuide(options?: FieldGuideOptions): Promise<FieldGuide>;
  frameworks(options?: CallOptions): Promise<Frameworks>;
  usage(options?: CallOptions): Promise<Usage>;

  /** Plain GET of a signed link, without the key (DL-2). */
  openLink(link: DownloadLink, options?: OpenLinkOptions): Promise<FileResponse>;

  /**
   * One request in spite of a wait above 24 hours that the service, or a host of files, asked for. Only a person may ask
   * for it. When the answer is good, the wait is over.
   */
  tryNow(): Promise<Usage>;

  readonly rate: RateLimitStatus;
  readonly onDidChangeRate: Event<RateLimitStatus>;
  /** Counts what this client asks for; with others that were given the same one. */
  readonly ledger: RequestLedger;
  /** Ends open connections; calls under way are aborted. */
  dispose(): void;
}

/** How a client is made. */
export interface ClientOptions {
  /** Ends in /api/v2; checked as `checkBaseUrl` does. */
  readonly baseUrl: string;
  /** Checked as `checkApiKey` does. Null where only `health` is asked. */
  readonly key: Secret | null;
  readonly authentication: 'bearer' | 'x-api-key';
  /** Names the integration and its version (LIM-3). */
  readonly userAgent: string;
  /** Above 0, at most 9; 8 when left out (LIM-1). */
  readonly requestsPerSecond?: number | undefined;
  /** Proxy and certificates; the environment's proxies are used only when `env` is given. */
  readonly network?: NetworkOptions | undefined;
  /** Where pace and connections are shared with other windows; this client alone when left out. */
  readonly budget?: SharedState | undefined;
  /** Where requests are counted; a new one when left out. */
  readonly ledger?: RequestLedger | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  readonly logger?: Logger | undefined;
  /** Told before each wait for another try. */
  readonly onRetryWait?: ((wait: RetryWait) => void) | undefined;
}

const maxRequestsPerSecond = 9;
const usual = 8;

/**
 * Makes the client of one service and key. Opens nothing yet. Throws `invalid` for a base URL or a key that may not be
 * used, in words that hold neither.
 */
export function createClient(options: ClientOptions): Client {
  const checked = checkBaseUrl(options.baseUrl);
  if (!checked.ok) throw badRequest(checked.reason, l10n.t('Correct the base URL.'));
  const checkedKey = options.key && checkApiKey(options.key.reveal());
  if (checkedKey && !checkedKey.ok) throw badRequest(checkedKey.reason, l10n.t('Sign in again with the right key.'));

  const { clock = systemClock, logger = silentLogger, random = Math.random, onRetryWait = () => {} } = options;
  const key = checkedKey?.key ?? null;
  const baseUrl = new URL(checked.baseUrl);
  const userAgent = options.userAgent.replace(/[^\x20-\x7e]/g, '');
  const ledger = options.ledger ?? new RequestLedger(clock);
  const makeWire = wireMaker(options.network ?? {});
  const scheduler = new RequestScheduler({
    origin: checked.origin,
    key,
    requestsPerSecond: Math.min(maxRequestsPerSecond, options.requestsPerSecond ?? usual),
    state: options.budget ?? memoryState(),
    clock,
    logger,
    connect: (origin) =>
      makeWire(origin, (address) => {
        const isOwn = origin === checked.origin || isLoopback(baseUrl);
        if (!isOwn && !isPublic(address)) throw forbiddenAddress();
      }),
  });
  const service = createService({
    baseUrl,
    key,
    authentication: options.authentication,
    userAgent,
    scheduler,
    clock,
    random,
    logger,
    onRetryWait,
    onSent: (request) => ledger.note(request),
  });
  return {
    health: (call) => getHealth(service, call),
    entitlements: (call) => getEntitlements(service, call),
    watchlist: (call) => listWatchlist(service, call),
    resolve: (queries, call) => resolveIdentifiers(service, queries, call),
    reports: (filter, call) => listReports(service, filter, call),
    changes: (from, call) => listChanges(service, from, call),
    reportsPage: (filter = {}, call = {}) => getReportsPage(service, filter, call),
    changesPage: (from, call) => getChangesPage(service, from, call),
    lookup: (keys, call) => lookupReportKeys(service, keys, call),
    report: (id, call) => getReport(service, id, call),
    downloadLink: (id, call) => getDownloadLink(service, id, call),
    schema: (call) => getSchema(service, call),
    fieldGuide: (call) => getFieldGuide(service, call),
    frameworks: (call) => getFrameworks(service, call),
    usage: (call) => getUsage(service, call),
    openLink: (link, call = {}) => openLink(link, call, { baseUrl, userAgent, scheduler, clock, logger }),
    tryNow() {
      scheduler.tryNow();
      return getUsage(service, { tries: 1 });
    },
    get rate() {
      return scheduler.status;
    },
    onDidChangeRate: scheduler.onDidChange,
    ledger,
    dispose: () => scheduler.dispose(),
  };
}
