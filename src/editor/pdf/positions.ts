import { mkdir } from 'node:fs/promises';
import { changeFile, readText } from '../../downloads/changeFile.ts';
import { firstPosition, type Position, positionSchema } from '../../protocol/pdfPreview.ts';

/** Files whose position is remembered; those looked at longest ago are forgotten first. */
const maxFiles = 200;

type StoredPosition = readonly [file: string, position: unknown];

/**
 * Remembers where a person was in each PDF, in a file of its own. The editor's own memory is written seconds later, and
 * not at all when the window is reloaded before.
 */
export class Positions {
  readonly #folder: string;
  /** What this window knows; the file may be behind it. */
  readonly #latest = new Map<string, Position>();

  /** @param folder where the file is; made when there is something to keep */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where the person was in a file; its start when nothing is remembered, or nothing that can be trusted. */
  async of(file: string): Promise<Position> {
    const known = this.#latest.get(file);
    if (known) return known;
    // An unreadable value counts as none.
    const text = await readText(this.#place).catch(() => undefined);
    const { success, data } = positionSchema.safeParse(stored(text).find(([name]) => name === file)?.[1]);
    return success ? data : firstPosition;
  }

  /** Resolves once it, or what came meanwhile, is on the disk. @throws DiskProblem, or the system's error */
  async keep(file: string, position: Position): Promise<void> {
    this.#latest.set(file, position);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const change = (text: string | undefined) => {
      const others = stored(text).filter(([name]) => name !== file);
      return JSON.stringify([...others, [file, this.#latest.get(file)]].slice(-maxFiles));
    };
    await changeFile(this.#place, change);
  }

  get #place() {
    return { root: this.#folder, path: 'pdf-places.json', isPrivate: true };
  }
}

/** The file's entries; none when it is nothing that can be read. */
function stored(text: string | undefined): readonly StoredPosition[] {
  try {
    const entries: unknown = JSON.parse(text ?? '[]');
    const isStored = (entry: unknown): entry is StoredPosition =>
      Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string';
    return Array.isArray(entries) ? entries.filter(isStored) : [];
  } catch {
    return [];
  }
}
