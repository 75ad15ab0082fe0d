import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { Channel, type Failure, threadPort } from '../base/rpc.ts';
import { machineLeases } from '../machine/lease.ts';
import { PdfReader } from './extract.ts';
import { loadTextSqlite } from './pagesFile.ts';
import { TextError, textError } from './textError.ts';
import { type TextWorkerOptions, textEvents, textMethods, textSide } from './textIndex.ts';
import { TextServer } from './textServer.ts';

/** The worker thread that the text index of a window lives in: one typed channel, nothing else. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { path, reader: script } = workerData as TextWorkerOptions;

/** Several changes in a row are told once; so often what other windows wrote is looked for. Both in ms. */
const changeDelay = 100;
const pollInterval = 1000;

const say = (level: keyof Logger) => (message: string) => channel.send('log', { level, message });
const logger: Logger = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
let telling: ReturnType<typeof setTimeout> | undefined;
const changed = () => {
  telling ??= setTimeout(() => {
    telling = undefined;
    channel.send('change', null);
  }, changeDelay);
};

// Calls made meanwhile wait until somebody listens.
const sqlite = await loadTextSqlite().catch((error: unknown) =>
  error instanceof TextError ? error : textError('no-sqlite'),
);
const reader = new PdfReader({ script, clock: systemClock, logger });
const server = new TextServer({
  ...{ path, sqlite, leases: machineLeases(), reader },
  ...{ clock: systemClock, logger, changed },
});

const calls = textMethods.map((name) => [
  name,
  ([params]: readonly [never], signal: AbortSignal) => server.calls[name](params, signal),
]);
const channel: Channel<typeof textSide, typeof textEvents> = new Channel({
  ...{ port: threadPort(port), mine: textSide, theirs: textEvents, log: silentLogger },
  handlers: {
    calls: {
      ...Object.fromEntries(calls),
      close() {
        clearInterval(poll);
        clearTimeout(telling);
        server.close();
        reader.dispose();
      },
    },
    events: {},
  },
  explain: failureOf,
});

const poll = setInterval(() => server.poll(), pollInterval);
poll.unref();

function failureOf(error: unknown): Failure {
  const { message, problem } = error instanceof TextError ? error : textError('unexpected', error);
  const detail = problem === 'unexpected' && error instanceof Error ? ` (${error.message})` : '';
  return { message: message + detail, problem };
}
