import { extname } from 'node:path';
import * as z from 'zod/mini';
import { l10n } from '../base/l10n.ts';
import { silentLogger } from '../base/logger.ts';
import { type Side, shape } from '../base/rpc.ts';
import { WorkerThread } from '../base/workerThread.ts';
import type { PartFiles, PartsTask } from './writeParts.ts';

/** What the thread is asked: to open a library's file, and to write parts of its reports. */
export const partsSide = {
  calls: {
    open: {
      params: z.object({ library: z.string(), words: z.custom<ReturnType<typeof l10n.spoken>>(Array.isArray) }),
      result: z.null(),
    },
    write: {
      params: shape<PartsTask>({
        ...{ folder: z.string(), known: z.custom<PartsTask['known']>(Array.isArray) },
        begun: z.custom<PartsTask['begun']>((value) => value instanceof Int32Array),
      }),
      result: z.custom<readonly PartFiles[]>(Array.isArray),
    },
  },
  events: {},
} satisfies Side;

/** What it tells now and then: how many more rows are read. */
export const partsNews = { calls: {}, events: { progress: z.number() } } satisfies Side;

/** Of a thread that writes, MB: one file's rows and what it takes to write them. */
export const threadLimits = { maxOldGenerationSizeMb: 448, maxYoungGenerationSizeMb: 32 };

/** A thread that writes parts of a library's reports beside the one that asks for it. */
export function partsThread(onProgress: (rows: number) => void) {
  // Bundled too, this module is in a folder beside that of the thread's script.
  const script = new URL(`../export/parts.worker${extname(import.meta.url)}`, import.meta.url);
  return new WorkerThread({
    ...{ script, worker: { resourceLimits: threadLimits, name: 'report-library-export-parts' } },
    ...{ mine: partsNews, theirs: partsSide, log: silentLogger },
    handlers: { calls: {}, events: { progress: onProgress } },
    stopped: () => new Error(l10n.t('The export stopped unexpectedly. Try again.')),
  });
}
