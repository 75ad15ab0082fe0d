import type { Client } from '../api/client.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { once } from '../base/once.ts';
import type { Secret } from '../base/secret.ts';
import { demoOrigin, type LinkSource, lastingOrigin } from '../downloads/ports.ts';
import { sharedMachineState } from '../machine/machineState.ts';
import { type CommandContext, scriptOf } from './context.ts';
import { KeyProblem, UsageProblem } from './exit.ts';
import type { Output } from './output.ts';

/** The service, and the key that goes to it alone. */
export interface Connected {
  readonly client: Client;
  readonly baseUrl: string;
  readonly key: Secret;
}

/** The service of a command line, reached with the first call: a command that needs nothing of it needs no key. */
export function service({ account, values, version, store, fail, out }: CommandContext) {
  const connected = once(async (): Promise<Connected> => {
    const { baseUrl, key } = account.isDemo ? await startDemo() : await named();
    const logger = warnings(out);
    const budget = sharedMachineState(logger);
    // Loaded here: what reads files alone starts without all that speaks to a service.
    const { createClient } = await import('../api/client.ts');
    const client = createClient({
      ...{ baseUrl, key, budget, network: { env: process.env }, ...requestHabits() },
      logger,
      userAgent: `report-library-cli/${version} Node/${process.versions.node}`,
    });
    // Ended in reverse order: the client tells the other windows that its connections are free.
    store.add(budget);
    store.add(client);
    if (values['ignore-pause']) await client.endLongWaits();
    return { client, baseUrl, key };
  });
  const named = async () => {
    try {
      if (account.baseUrl !== undefined) return { baseUrl: account.baseUrl, key: await account.key() };
      throw new UsageProblem('The base URL of the service is not set. Set REPORT_LIBRARY_BASE_URL, or give --demo.');
    } catch (error) {
      if (error instanceof UsageProblem || error instanceof KeyProblem) fail(error);
      throw error;
    }
  };
  const startDemo = async () => {
    const { demoThread } = await import('../demo/demoThread.ts');
    return store.add(demoThread(scriptOf('demo/worker'), {}, silentLogger)).start();
  };
  return connected;
}

/** How requests are made, as the environment says, where the editor has settings. @throws UsageProblem */
export function requestHabits() {
  const { REPORT_LIBRARY_AUTHENTICATION, REPORT_LIBRARY_REQUESTS_PER_SECOND } = process.env;
  const authentication = REPORT_LIBRARY_AUTHENTICATION?.trim() || 'bearer';
  if (authentication !== 'bearer' && authentication !== 'x-api-key')
    throw new UsageProblem('REPORT_LIBRARY_AUTHENTICATION takes bearer or x-api-key.');
  const rate = REPORT_LIBRARY_REQUESTS_PER_SECOND?.trim() || '8';
  if (!/^[1-9]$/.test(rate)) throw new UsageProblem('REPORT_LIBRARY_REQUESTS_PER_SECOND takes 1 to 9.');
  return { authentication, requestsPerSecond: Number(rate) } as const;
}

/** Writes to standard error what the command waits for, and why it is slow. */
function warnings({ isJson, warn }: Output): Logger {
  return isJson ? silentLogger : { ...silentLogger, info: warn, warn };
}

/** Reports, links and bytes of the service, for downloads. */
export function sourceOf(context: CommandContext, connected = service(context)): LinkSource {
  const client = async () => (await connected.get()).client;
  const { baseUrl, isDemo } = context.account;
  return {
    origin: isDemo ? demoOrigin : baseUrl && lastingOrigin(baseUrl),
    report: async (id, call) => (await client()).report(id, call),
    downloadLink: async (id, call) => (await client()).downloadLink(id, call),
    openLink: async (link, call) => (await client()).openLink(link, call),
    silence: async () => (connected.made ? (await client()).silence() : null),
  };
}
