import { type FieldProblem, invalid, Problem } from './problem.ts';
import type { Signer } from './signer.ts';

const mostFilterValues = 500;

/** Query parameters of a request, read strictly; what is wrong is collected and refused together (422). */
export class Query {
  readonly #parameters: URLSearchParams;
  readonly #problems: FieldProblem[] = [];

  constructor(url: string) {
    this.#parameters = new URL(url).searchParams;
  }

  /** The one value of a parameter; a repeat is refused. */
  one(name: string): string | undefined {
    const values = this.#parameters.getAll(name);
    if (values.length > 1) this.refuse(name, 'may be given once');
    if (values[0] === '') this.refuse(name, 'is empty');
    return values[0] || undefined;
  }

  /** Every value of a repeatable parameter. */
  many(name: string): readonly string[] {
    const values = this.#parameters.getAll(name);
    if (values.includes('')) this.refuse(name, 'is empty');
    return values;
  }

  /** A page size from 1 to `most`. */
  limit(most: number): number {
    const text = this.one('limit');
    if (text === undefined) return Math.min(100, most);
    const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (limit < 1 || limit > most) this.refuse('limit', `must be a whole number from 1 to ${most}`);
    return limit;
  }

  /** Refuses more filter values than a request may have (REP-1). */
  countFilters(...lists: readonly (readonly unknown[])[]): void {
    const count = lists.reduce((sum, list) => sum + list.length, 0);
    if (count > mostFilterValues) this.refuse('filters', `hold ${count} values; ${mostFilterValues} are allowed`);
  }

  refuse(field: string, message: string): void {
    this.#problems.push({ field, message });
  }

  /** Throws when anything was refused. */
  done(): void {
    if (this.#problems.length > 0) throw invalid(...this.#problems);
  }
}

/** What a cursor was made with; `about` ties it to one list, key and set of filters. */
interface CursorPayload {
  readonly about: string;
  readonly place: unknown;
}

/** An opaque cursor for a place in a list (PAG-1). */
export function makeCursor(signer: Signer, about: string, place: unknown): string {
  return signer.seal('cursor', { about, place } satisfies CursorPayload);
}

/** The place of a cursor that this service made for this very list; an edited or foreign one is refused with 400. */
export function readCursor(signer: Signer, about: string, cursor: string): unknown {
  const payload = signer.open('cursor', cursor) as CursorPayload | undefined;
  if (!payload) throw new Problem(400, 'The cursor is not one that this service gave out.');
  if (payload.about !== about) throw new Problem(400, 'The cursor belongs to another list, key or set of filters.');
  return payload.place;
}
