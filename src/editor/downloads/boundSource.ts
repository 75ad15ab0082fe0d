import type { Client } from '../../api/client.ts';
import type { Report } from '../../api/schemas/report.ts';
import type { Connection, Services } from '../../app/session.ts';
import type { Logger } from '../../base/logger.ts';
import { BatchEnded, demoOrigin, endings, type LinkSource, lastingOrigin } from '../../downloads/ports.ts';
import type { PdfsOf } from './downloadRoot.ts';

/**
 * Reports, links and bytes of one connection; throws a BatchEnded once another connection is in use.
 * @param begun the connection; the one in use when left out, or that of the first call while none is known yet
 */
export function boundSource(services: Services, log: Logger, begun?: Connection): LinkSource {
  let bound = begun ?? connectionInUse(services);
  /** @throws BatchEnded unless the connection, as it is now, is the one that is meant */
  const requireBound = () => {
    const now = connectionInUse(services);
    bound ??= now;
    if (bound && !(now && isSame(bound, now))) throw new BatchEnded(endings.otherConnection());
    return now;
  };
  const ask = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    try {
      // Looked at once the client is there: making it takes a while.
      return await services.call((client) => {
        requireBound();
        return work(client);
      });
    } catch (error) {
      requireBound();
      throw error;
    }
  };
  /** Reports read on the way are known from then on, and so is where a retired id leads (RID-1). */
  const keep = async (report: Report, askedId: number, readBy: Connection | undefined) => {
    try {
      const { library, connection } = await services.library();
      if (connection === readBy) await library.applyReport(report, askedId);
    } catch (error) {
      // Without SQLite, or on a full disk, a report is downloaded all the same.
      log.warn(`A report could not be kept: ${String(error)}`);
    }
  };
  return {
    get connection() {
      return bound?.id;
    },
    get origin() {
      return originInUse(services, bound ?? null);
    },
    async report(id, call) {
      let readBy: Connection | undefined;
      const report = await ask((client) => {
        readBy = connectionInUse(services);
        return client.report(id, call);
      });
      await keep(report, id, readBy);
      return report;
    },
    downloadLink: (id, call) => ask((client) => client.downloadLink(id, call)),
    openLink: (link, call) => ask((client) => client.openLink(link, call)),
    silence: () => ask((client) => client.silence()),
  };
}

function connectionInUse({ session }: Services): Connection | undefined {
  return 'connection' in session ? session.connection : undefined;
}

/** Whose PDFs belong to the connection in use. */
export function pdfsOf(services: Services): PdfsOf {
  return { isDemo: connectionInUse(services)?.isDemo ?? false };
}

/** A connection with another name, or with a new key, still has the same reports. */
function isSame(one: Connection, other: Connection): boolean {
  return one.id === other.id && one.baseUrl === other.baseUrl;
}

/** The origin of the service that is connected, as a {@link LinkSource} has it; undefined for none. */
export function originInUse(services: Services, connection = connectionInUse(services) ?? null) {
  return connection ? (connection.isDemo ? demoOrigin : lastingOrigin(connection.baseUrl)) : undefined;
}
