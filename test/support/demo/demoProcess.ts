import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Secret } from '../../../src/base/secret.ts';
import { noEdge } from './ask.ts';
import type { FaultRule } from './faults.ts';
import { startTestDemo } from './testDemo.ts';
import { outsideCompany, plainCatalog } from './tinyCatalog.ts';

/** What the process is asked to do; faults without functions, which no message holds. */
type Wish =
  | { readonly kind: 'start'; readonly reports: number }
  | { readonly kind: 'faults'; readonly rules: readonly FaultRule[] }
  /** The requests since it was asked last: route and status. */
  | { readonly kind: 'requests' };

/** A demo service in a process of its own, as a service is. */
export interface DemoProcess {
  readonly baseUrl: string;
  readonly key: Secret;
  readonly reports: readonly { readonly report_id: number; readonly report_key: string }[];
  faults(rules: readonly FaultRule[]): Promise<void>;
  /** What it logged since it was asked last, as `GET /reports 200`. */
  requests(): Promise<readonly string[]>;
  end(): Promise<void>;
}

/** Starts one with so many reports; its edge lets everything through. */
export async function startDemoProcess(reports: number): Promise<DemoProcess> {
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: ['--no-warnings'] });
  const ask = async (wish: Wish): Promise<unknown> => {
    child.send(wish);
    const [answer] = await once(child, 'message');
    return answer;
  };
  const started = (await ask({ kind: 'start', reports })) as Omit<DemoProcess, 'key'> & { key: string };
  return {
    ...started,
    key: new Secret(started.key),
    faults: async (rules) => void (await ask({ kind: 'faults', rules })),
    requests: async () => (await ask({ kind: 'requests' })) as readonly string[],
    async end() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function serve(reports: number) {
  const demo = await startTestDemo({
    ...{ catalog: plainCatalog(reports), unlicensed: [outsideCompany], requestsPerMinute: 100_000 },
    ...noEdge,
  });
  const { baseUrl, key, control } = demo;
  process.once('disconnect', () => void demo.dispose());
  process.on('message', (wish: Wish) => {
    if (wish.kind === 'faults') control.faults.set(wish.rules);
    const requests = control.log.entries.map(({ route, status }) => `${route} ${status}`);
    if (wish.kind === 'requests') control.log.clear();
    process.send?.(wish.kind === 'requests' ? requests : null);
  });
  const named = control.entitled().map(({ report_id, report_key }) => ({ report_id, report_key }));
  process.send?.({ baseUrl, key: key.reveal(), reports: named });
}

if (process.argv[2] === 'serve')
  process.once('message', (wish: Wish) => void (wish.kind === 'start' && serve(wish.reports)));
