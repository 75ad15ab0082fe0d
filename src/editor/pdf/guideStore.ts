import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { replaceFile } from './replaceFile.ts';

/** The field guide that was kept last. */
export interface KeptGuide {
  readonly path: string;
  /** Names this version towards the service; undefined when the service gives no versions. */
  readonly etag: string | undefined;
  /** When it came, ms since the epoch. */
  readonly fetchedAt: number;
}

const noteSchema = z.object({
  sha256: z.string(),
  etag: z.nullable(z.string()),
  fetched_at: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
});

/** Keeps one service's field guide in a folder of its own, with what is known of it beside. */
export class GuideStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The kept one; undefined when there is none, or when it is not the file that was kept. */
  async kept(): Promise<KeptGuide | undefined> {
    try {
      const note = noteSchema.parse(JSON.parse(await readFile(this.#note, 'utf8')));
      if (hashOf(await readFile(this.#pdf)) !== note.sha256) return undefined;
      return { path: this.#pdf, etag: note.etag ?? undefined, fetchedAt: Date.parse(note.fetched_at) };
    } catch {
      // Not there, or not whole: it is fetched again either way.
      return undefined;
    }
  }

  /** Takes the place of the one before. Throws the system's error; a half-written one is never taken for a whole. */
  async keep(bytes: Uint8Array, etag: string | null, now: number): Promise<KeptGuide> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const note = { sha256: hashOf(bytes), etag, fetched_at: new Date(now).toISOString() };
    await replaceFile(this.#pdf, bytes);
    await replaceFile(this.#note, `${JSON.stringify(note, null, 2)}\n`);
    return { path: this.#pdf, etag: etag ?? undefined, fetchedAt: now };
  }

  get #pdf(): string {
    return join(this.#folder, 'Field Guide.pdf');
  }

  get #note(): string {
    return join(this.#folder, 'field-guide.json');
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
