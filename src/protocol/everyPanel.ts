import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';

/** A question that needs no words and whose answer is that it is done. */
export const plainCall = { params: nothing, result: nothing } as const;

/** What every page tells the editor. */
export const pageTells = {
  /** The page can listen now; also after it was hidden and shown again. */
  ready: nothing,
  /** Try to read again what could not be read. */
  retry: nothing,
} as const;

/** `ready` as it comes from a page. */
export const readyMessage = { kind: 'event', name: 'ready', data: null } as const;

export function isReadyMessage(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false;
  return Reflect.get(message, 'kind') === readyMessage.kind && Reflect.get(message, 'name') === readyMessage.name;
}

/** Why there is nothing to show. */
export const problemSchema = z.strictObject({ message: z.string() });
