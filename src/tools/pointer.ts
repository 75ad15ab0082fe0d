import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';

/** A downloads folder in a trusted workspace folder. */
const folder = z.object({ root: z.string(), folder: z.string() });

const pointerShape = z.object({
  version: z.literal(1),
  /** The library's file of the connection in use. */
  library: z.string(),
  text: z.string(),
  folders: z.array(folder),
});

/** Paths of the tools' files; empty while signed out. The last used window wins. */
export type Pointer = z.output<typeof pointerShape>;

/** What the pointer says, read synchronously; null where nobody is signed in or it can't be read. */
export function readPointer(file: string): Pointer | null {
  try {
    const read = pointerShape.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return read.success ? read.data : null;
  } catch {
    // Gone, or none of ours: both mean that the editor has to leave one.
    return null;
  }
}

/** Leaves a pointer; at once, so that nobody signs out while it is written. */
export function writePointer(file: string, pointer: Pointer): void {
  writeWhole(file, `${JSON.stringify(pointer)}\n`);
}

/** Leaves a file for this user alone, whole or not at all: others may read it at any time. */
export function writeWhole(file: string, content: string): void {
  const draft = `${file}.${randomUUID()}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Why a window would write the pointer: a person is in it or calls its tool, or its connection changed by itself. */
export type PointerReason = 'used' | 'changed';

/** The pointer as one window sees it. The last used window leads; others only replace what they wrote, or fill in. */
export class WindowPointer {
  readonly #file: string;
  /** What this window has written last. */
  #own: Pointer | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** At once, before anybody can ask again: what this window led to is in use no longer. */
  leave(): void {
    if (this.#own !== null && readPointer(this.#file)?.library === this.#own.library)
      rmSync(this.#file, { force: true });
    this.#own = null;
  }

  /** Nobody is signed in, so the pointer goes, also one that another window wrote. */
  clear(): void {
    this.#own = null;
    rmSync(this.#file, { force: true });
  }

  /** Leads to what this window has in use, if the reason is good enough. */
  lead(pointer: Pointer, why: PointerReason): void {
    const held = readPointer(this.#file);
    if (why === 'changed' && held !== null && !isSame(held, this.#own)) return;
    if (!isSame(held, pointer)) writePointer(this.#file, pointer);
    this.#own = pointer;
  }
}

const isSame = (a: Pointer | null, b: Pointer | null) => JSON.stringify(a) === JSON.stringify(b);
