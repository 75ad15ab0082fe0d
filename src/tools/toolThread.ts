import type { Logger } from '../base/logger.ts';
import { silent, threadSide } from '../base/rpc.ts';
import { WorkerThread } from '../base/workerThread.ts';
import type { ToolAnswer } from './tool.ts';

export interface ToolThreadOptions extends ToolWorkerOptions {
  /** The worker's script: the bundle's, or `tools.worker.ts` itself where Node runs it. */
  readonly worker: URL;
  readonly logger: Logger;
}

export type ToolThread = ReturnType<typeof toolThread>;

/** The tools in a thread of their own, which answers calls as the other door does. */
export function toolThread({ pointer, worker: script, logger: log }: ToolThreadOptions) {
  const workerData: ToolWorkerOptions = { pointer };
  return new WorkerThread({
    ...{ script, worker: { workerData, name: 'report-library-tools' } },
    ...{ mine: silent, theirs: toolSide, handlers: silent, log },
    stopped: () => new Error('The tools stopped. Call again.'),
  });
}

/** What the thread of the tools is asked by the editor: one call of a tool. */
interface ToolMethods {
  answer(name: string, input: unknown): ToolAnswer;
}
export const toolSide = threadSide<ToolMethods>(['answer']);

export interface ToolWorkerOptions {
  readonly pointer: string;
}
