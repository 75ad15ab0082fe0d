import * as z from 'zod/mini';
import type { Side } from '../base/rpc.ts';

/** What the thread of the tools is asked by the editor: one call of a tool. */
export const toolSide = {
  calls: {
    answer: {
      params: z.object({ name: z.string(), input: z.unknown() }),
      result: z.object({ text: z.string(), isError: z.boolean() }),
    },
  },
  events: {},
} satisfies Side;

/** It says nothing unasked. */
export const toolCaller = { calls: {}, events: {} } satisfies Side;

/** How the thread is started. */
export interface ToolWorkerOptions {
  /** Path of the pointer's file. */
  readonly pointer: string;
}
