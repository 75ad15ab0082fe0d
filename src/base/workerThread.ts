import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Channel, type ChannelOptions, type Side, threadPort } from './rpc.ts';

export interface ThreadOptions<Mine extends Side, Theirs extends Side>
  extends Pick<ChannelOptions<Mine, Theirs>, 'mine' | 'theirs' | 'handlers' | 'revive' | 'log'> {
  /** The bundle's script, or the source itself where Node runs it. */
  readonly script: URL;
  readonly worker: WorkerOptions;
  /** What calls reject with when the thread ends, or was ended before. */
  stopped(cause?: unknown): Error;
  /** The thread runs anew: it knows nothing yet. */
  readonly started?: (channel: Channel<Mine, Theirs>) => void;
}

/** A thread that starts with the first call, and again with the next one after it has died. */
export class WorkerThread<Mine extends Side, Theirs extends Side> {
  readonly #options: ThreadOptions<Mine, Theirs>;
  #running: { readonly worker: Worker; readonly channel: Channel<Mine, Theirs> } | null = null;
  #isDisposed = false;
  #underWay = 0;

  constructor(options: ThreadOptions<Mine, Theirs>) {
    this.#options = options;
  }

  /** Asks the thread, as {@link Channel.call} does. */
  readonly call: Channel<Mine, Theirs>['call'] = async (name, params, signal) => {
    if (this.#isDisposed) throw this.#options.stopped();
    signal?.throwIfAborted();
    this.#running ??= this.#start();
    const { worker, channel } = this.#running;
    worker.ref();
    this.#underWay++;
    try {
      return await channel.call(name, params, signal);
    } finally {
      if (--this.#underWay === 0) worker.unref();
    }
  };

  /** Ends the thread; after a last call, if one is given, by which it closes what it has open. */
  async dispose(last?: Parameters<Channel<Mine, Theirs>['call']>): Promise<void> {
    this.#isDisposed = true;
    if (!this.#running) return;
    const { worker, channel } = this.#running;
    worker.ref();
    // A thread that died meanwhile has nothing left to close.
    if (last) await channel.call(...last).catch(() => undefined);
    channel.dispose(this.#options.stopped());
    await worker.terminate();
  }

  #start() {
    const { script, worker: workerOptions, mine, theirs, handlers, revive, log, stopped, started } = this.#options;
    const worker = new Worker(script, workerOptions);
    // It must not keep the process alive by itself; a call under way does.
    worker.unref();
    const channel = new Channel({ port: threadPort(worker), mine, theirs, handlers, revive, log, explain: String });
    const running = { worker, channel };
    const end = (error?: unknown) => {
      if (this.#running === running) this.#running = null;
      if (error instanceof Error) log.error(`The thread ${workerOptions.name} failed: ${error.message}`);
      channel.dispose(stopped(error));
    };
    worker.on('error', end);
    worker.on('exit', () => end());
    started?.(channel);
    return running;
  }
}
