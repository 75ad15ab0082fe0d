import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { firstPlace, type Place, placeSchema } from '../../protocol/pdfPreview.ts';
import { replaceFile } from './replaceFile.ts';

/** Files whose place is remembered; those looked at longest ago are forgotten first. */
const most = 200;

type Entry = readonly [file: string, place: unknown];

/**
 * Remembers where a person was in each PDF, in a file of its own. The editor's own memory is written seconds later, and
 * not at all when the window is reloaded before.
 */
export class Places {
  readonly #path: string;
  #unwritten = new Map<string, Place>();
  #writing: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Where the person was in a file; its start when nothing is remembered, or nothing that can be trusted. */
  async of(file: string): Promise<Place> {
    const unwritten = this.#unwritten.get(file);
    if (unwritten) return unwritten;
    const found = (await this.#all()).find(([name]) => name === file)?.[1];
    const { success, data } = placeSchema.safeParse(found);
    return success ? data : firstPlace;
  }

  /** Resolves once it is on the disk; places that come meanwhile are written together. Throws the system's error. */
  keep(file: string, place: Place): Promise<void> {
    this.#unwritten.delete(file);
    this.#unwritten.set(file, place);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#unwritten.size > 0) {
      const others = (await this.#all()).filter(([name]) => !this.#unwritten.has(name));
      const written = new Map(this.#unwritten);
      await this.#replace([...others, ...written].slice(-most));
      for (const [file, place] of written) if (this.#unwritten.get(file) === place) this.#unwritten.delete(file);
    }
  }

  async #replace(entries: readonly Entry[]): Promise<void> {
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await replaceFile(this.#path, JSON.stringify(entries));
    } catch (error) {
      this.#unwritten.clear();
      throw error;
    }
  }

  async #all(): Promise<readonly Entry[]> {
    try {
      const stored: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
      const isEntry = (entry: unknown): entry is Entry =>
        Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string';
      return Array.isArray(stored) ? stored.filter(isEntry) : [];
    } catch {
      // Not there, or nothing that can be read: every PDF begins at its start then.
      return [];
    }
  }
}
