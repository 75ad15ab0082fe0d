import { Worker } from 'node:worker_threads';
import type { Logger } from '../base/logger.ts';
import { Channel, threadPort } from '../base/rpc.ts';
import { type ToolWorkerOptions, toolCaller, toolSide } from './messages.ts';
import type { ToolAnswer } from './tool.ts';

/** How the thread of the tools is reached. */
export interface ToolThreadOptions extends ToolWorkerOptions {
  /** The worker's script: the bundle's, or `tools.worker.ts` itself where Node runs it. */
  readonly worker: URL;
  readonly logger: Logger;
}

interface Running {
  readonly worker: Worker;
  readonly channel: Channel<typeof toolCaller, typeof toolSide>;
}

/** The tools in their thread, which starts with the first call, and again with the next one after it has died. */
export class ToolThread {
  readonly #options: ToolThreadOptions;
  #running: Running | null = null;

  constructor(options: ToolThreadOptions) {
    this.#options = options;
  }

  /** Answers a call as the other door does. Rejects with the signal's reason once it aborts, or when the thread ends. */
  answer(name: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    this.#running ??= this.#start();
    return this.#running.channel.call('answer', { name, input }, signal);
  }

  async dispose(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    running?.channel.dispose(stopped());
    await running?.worker.terminate();
  }

  #start(): Running {
    const { pointer, worker: script, logger } = this.#options;
    const workerData: ToolWorkerOptions = { pointer };
    const worker = new Worker(script, { workerData, name: 'report-library-tools' });
    // It must not keep the process alive.
    worker.unref();
    const channel = new Channel({
      ...{ port: threadPort(worker), mine: toolCaller, theirs: toolSide, log: logger },
      handlers: { calls: {}, events: {} },
      explain: String,
    });
    const started = { worker, channel };
    worker.on('error', (error) => logger.error(`The thread of the tools failed: ${String(error)}`));
    worker.on('exit', () => {
      if (this.#running === started) this.#running = null;
      channel.dispose(stopped());
    });
    return started;
  }
}

const stopped = () => new Error('The tools stopped. Call again.');
