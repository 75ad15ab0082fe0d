import { nested } from './nested.ts';
import { plain } from './plain.ts';
import type { Reading } from './reading.ts';
import { terse } from './terse.ts';

/** Every reading of the open places that the demo can serve, by name. */
export const readings = { plain, nested, terse } as const satisfies Readonly<Record<string, Reading>>;
export type ReadingName = keyof typeof readings;
