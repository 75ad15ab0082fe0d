import { type Clock, systemClock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { isLoopback, type Secret } from '../base/secret.ts';
import { memoryState, type SharedState } from '../base/sharedState.ts';
import { checkApiKey, checkBaseUrl } from './credentials.ts';
import { companyEndpoints } from './endpoints/companies.ts';
import { metaEndpoints } from './endpoints/meta.ts';
import { reportEndpoints } from './endpoints/reports.ts';
import type { DownloadLink, HostSilence, OpenLinkOptions } from './schemas/report.ts';
import { RequestBudget } from './transport/budget.ts';
import { badRequest, comeBack, isRefusal } from './transport/errors.ts';
import { forbiddenAddress, isPublic, openLink } from './transport/link.ts';
import { connector, ignoredVariable, type NetworkOptions, prepareNetwork } from './transport/network.ts';
import { createService } from './transport/service.ts';

export type { ReportFilter } from './endpoints/reports.ts';
export type { CallOptions, ListOptions } from './schemas/page.ts';
export type { RateLimitStatus } from './transport/budget.ts';
export type { NetworkOptions } from './transport/network.ts';

export interface ClientOptions {
  /** Ends in /api/v2; checked as `checkBaseUrl` does. */
  readonly baseUrl: string;
  /** Checked as `checkApiKey` does. Null where only `health` is asked. */
  readonly key: Secret | null;
  readonly authentication: 'bearer' | 'x-api-key';
  /** Names the integration and its version (LIM-3). */
  readonly userAgent: string;
  /** 1 to 9; 8 when left out (LIM-1). */
  readonly requestsPerSecond?: number | undefined;
  /** Proxy and certificates; the environment's proxies are used only when `env` is given. */
  readonly network?: NetworkOptions | undefined;
  /** Where the request budget is shared with other processes; this client alone when left out. */
  readonly budget?: SharedState | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  readonly logger?: Logger | undefined;
}

const maxRequestsPerSecond = 9;
const usual = 8;

/** Makes the client of one service and key; opens nothing. Throws `invalid` for an unusable base URL or key. */
export function createClient(options: ClientOptions) {
  const checked = checkBaseUrl(options.baseUrl);
  if (!checked.ok) throw badRequest(checked.reason, l10n.t('Correct the base URL.'));
  const checkedKey = options.key && checkApiKey(options.key.reveal());
  if (checkedKey && !checkedKey.ok) throw badRequest(checkedKey.reason, l10n.t('Sign in again with the right key.'));

  const { clock = systemClock, logger = silentLogger, random = Math.random } = options;
  const key = checkedKey?.key ?? null;
  const baseUrl = new URL(checked.baseUrl);
  const userAgent = options.userAgent.replace(/[^\x20-\x7e]/g, '');
  const connect = connector(options.network ?? {});
  const ignored = ignoredVariable();
  if (ignored !== undefined) logger.warn(ignored);
  const budget = new RequestBudget({
    origin: checked.origin,
    key,
    requestsPerSecond: Math.min(maxRequestsPerSecond, options.requestsPerSecond ?? usual),
    state: options.budget ?? memoryState(),
    clock,
    logger,
    prepare: prepareNetwork,
    connect: (origin) =>
      connect(origin, (address) => {
        const isOwn = origin === checked.origin || isLoopback(baseUrl);
        if (!isOwn && !isPublic(address)) throw forbiddenAddress();
      }),
  });
  const way = { baseUrl, userAgent, budget, clock, logger };
  const service = createService({ ...way, key, authentication: options.authentication, random });
  return {
    ...metaEndpoints(service),
    ...companyEndpoints(service),
    ...reportEndpoints(service),
    isRefusal,
    /** Plain GET of a signed link, without the key (DL-2). */
    openLink: (link: DownloadLink, call: OpenLinkOptions = {}) => openLink(link, call, way),
    /** Set while the hosts of files asked for a wait: a link that is requested earlier is counted for nothing. */
    async silence(): Promise<HostSilence | null> {
      const pause = await budget.fileWait();
      const left = pause ? pause.until - clock.now() : 0;
      return pause && { until: clock.monotonic() + left, reason: `${pause.reason} ${comeBack(left)}` };
    },
    /** Ends every wait above 24 hours that the service or a file host asked for. Only a person may ask for it. */
    endLongWaits: () => budget.endLongPauses(),
    get rate() {
      return budget.rate;
    },
    onDidChangeRate: budget.onDidChangeRate,
    dispose: () => budget.dispose(),
  };
}

/** The service's thirteen endpoints, and the fetch of a signed link. Every call may throw an `ApiError`. */
export type Client = ReturnType<typeof createClient>;
