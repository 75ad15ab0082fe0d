import { firstPlace, type Place, placeSchema } from '../../protocol/pdfPreview.ts';

/** As much of the editor's memory as is needed here. */
export interface Memory {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): Thenable<void>;
}

const key = 'pdfPlaces';
/** Files whose place is remembered; those looked at longest ago are forgotten first. */
const most = 200;

/** Remembers where a person was in each PDF. */
export class Places {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Where the person was in a file; its start when nothing is remembered, or nothing that can be trusted. */
  of(file: string): Place {
    const found = this.#all().find(([name]) => name === file)?.[1];
    const { success, data } = placeSchema.safeParse(found);
    return success ? data : firstPlace;
  }

  async keep(file: string, place: Place): Promise<void> {
    const others = this.#all().filter(([name]) => name !== file);
    await this.#memory.update(key, [...others, [file, place]].slice(-most));
  }

  #all(): readonly (readonly [file: string, place: unknown])[] {
    const stored: unknown = this.#memory.get(key);
    return Array.isArray(stored) ? stored.filter((entry) => Array.isArray(entry) && entry.length === 2) : [];
  }
}
