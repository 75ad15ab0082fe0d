import { createHash } from 'node:crypto';
import { isObject } from '../base/json.ts';

/** A position in a list, bound to the call that it belongs to; how many items are asked for is left open. */
export function cursorFor(tool: string, input: object, position: string): string {
  const { cursor: _, limit: __, ...asked } = input as Record<string, unknown>;
  const hash = createHash('sha256')
    .update(JSON.stringify([tool, asked, position], inOrder))
    .digest('hex');
  return `${hash.slice(0, 8)}.${position}`;
}

/** The position that a cursor of this call stands for; null where it is another call's, or nobody's. */
export function positionOf(tool: string, input: object, cursor: string): string | null {
  const position = cursor.slice(cursor.indexOf('.') + 1);
  return cursorFor(tool, input, position) === cursor ? position : null;
}

/** The same inputs in another order are the same call. */
function inOrder(_: string, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}
