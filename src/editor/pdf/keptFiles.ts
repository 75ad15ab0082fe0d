import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { firstPosition, type Position, positionSchema } from '../../protocol/pdfPreview.ts';

/** Files whose position is remembered; those looked at longest ago are forgotten first. */
const maxFiles = 200;

type StoredPosition = readonly [file: string, position: unknown];

/**
 * Remembers where a person was in each PDF, in a file of its own. The editor's own memory is written seconds later, and
 * not at all when the window is reloaded before.
 */
export class Positions {
  readonly #path: string;
  #unwritten = new Map<string, Position>();
  #writing: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Where the person was in a file; its start when nothing is remembered, or nothing that can be trusted. */
  async of(file: string): Promise<Position> {
    const unwritten = this.#unwritten.get(file);
    if (unwritten) return unwritten;
    const found = (await this.#all()).find(([name]) => name === file)?.[1];
    const { success, data } = positionSchema.safeParse(found);
    return success ? data : firstPosition;
  }

  /** Resolves once it is on the disk; positions that come meanwhile are written together. Throws the system's error. */
  keep(file: string, position: Position): Promise<void> {
    this.#unwritten.delete(file);
    this.#unwritten.set(file, position);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#unwritten.size > 0) {
      const others = (await this.#all()).filter(([name]) => !this.#unwritten.has(name));
      const written = new Map(this.#unwritten);
      await this.#replace([...others, ...written].slice(-maxFiles));
      for (const [file, position] of written) if (this.#unwritten.get(file) === position) this.#unwritten.delete(file);
    }
  }

  async #replace(entries: readonly StoredPosition[]): Promise<void> {
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await replaceFile(this.#path, JSON.stringify(entries));
    } catch (error) {
      this.#unwritten.clear();
      throw error;
    }
  }

  async #all(): Promise<readonly StoredPosition[]> {
    try {
      const stored: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
      const isStored = (entry: unknown): entry is StoredPosition =>
        Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string';
      return Array.isArray(stored) ? stored.filter(isStored) : [];
    } catch {
      // Not there, or nothing that can be read: every PDF begins at its start then.
      return [];
    }
  }
}

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

/** Puts a file in the place of another: who reads it finds the old one or the new one. Throws the system's error. */
async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await writeFile(unfinished, content, { flag: 'wx', mode: 0o600 });
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
