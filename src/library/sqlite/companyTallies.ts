import { type CompanyGroup, type CompanyGroupBy, compareGroups, letterOf } from '../companyQuery.ts';
import type { LibraryChange } from '../libraryChange.ts';
import type { CompanyTable } from './companyTable.ts';
import type { Connection, Row } from './connection.ts';
import { KeptOfCompanies } from './keptOfCompanies.ts';

interface Parts {
  readonly connection: Connection;
  readonly companies: Pick<CompanyTable, 'find'>;
}

/** Totals over the companies that are shown. */
export interface CompanyTotals {
  readonly listed: number;
  readonly gone: number;
  readonly companies: number;
}

const shown = 'watched > 0 OR listed > 0 OR gone > 0';
const counted = `SELECT id, listed, gone, substr(sort_name, 1, 1), country, sector, industry FROM companies WHERE (${shown})`;
const totalsSql = `SELECT ifnull(sum(listed), 0), ifnull(sum(gone), 0), count(*) FROM companies WHERE ${shown}`;
/** Where each kind of group stands in a row of `counted`. */
const columns: Readonly<Record<CompanyGroupBy, number>> = { letter: 3, country: 4, sector: 5, industry: 6 };
const kinds = Object.keys(columns) as CompanyGroupBy[];
/** With more changed companies than this, looking at all of them again is quicker. */
const mostStale = 2000;

/**
 * How many companies and reports stand under each letter, country, sector and industry: counted on first need, kept
 * while nothing changes, corrected company by company where little does. Holds six numbers a company, under 2 MB for
 * 25,000 of them, and each distinct text once.
 */
export class CompanyTallies {
  readonly #parts: Parts;
  readonly #kept: KeptOfCompanies<Tallies>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#kept = new KeptOfCompanies(parts.connection, mostStale);
  }

  /** To be told of every write, own or another window's. */
  note(change: LibraryChange): void {
    this.#kept.note(change);
  }

  /** Summed up anew while nothing is kept, which takes less than counting all that would be. */
  totals(): CompanyTotals {
    const kept = this.#present();
    if (kept) return kept.totals;
    const row = this.#parts.connection.get(totalsSql);
    return { listed: Number(row?.[0]), gone: Number(row?.[1]), companies: Number(row?.[2]) };
  }

  groups(by: CompanyGroupBy): CompanyGroup[] {
    return (this.#present() ?? this.#build()).groups(by);
  }

  /** Texts held of the kind with most, those that no company states any more included. */
  get texts(): number {
    return this.#kept.whole?.texts ?? 0;
  }

  #build(): Tallies {
    const tallies = new Tallies();
    for (const row of this.#parts.connection.all(counted)) tallies.put(Number(row[0]), row);
    return this.#kept.keep(tallies);
  }

  #present(): Tallies | null {
    return this.#kept.present((tallies, stale) => this.#correct(tallies, stale));
  }

  #correct(tallies: Tallies, stale: readonly string[]): boolean {
    if (tallies.isLoose) return false;
    const ids = new Set<number>();
    for (const key of stale) {
      const id = this.#parts.companies.find(key);
      // Gone without a trace: which numbers were its own is no longer known.
      if (id === null) return false;
      ids.add(id);
    }
    const rows = this.#parts.connection.all(
      `${counted} AND id IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...ids]),
    );
    for (const id of ids) tallies.take(id);
    for (const row of rows) tallies.put(Number(row[0]), row);
    return true;
  }
}

/** The counts of one kind of group, by the place of its text. */
class Kind {
  readonly #places = new Map<string | null, number>();
  readonly #texts: (string | null)[] = [];
  readonly #companies: number[] = [];
  readonly #reports: number[] = [];

  place(text: string | null): number {
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.#texts.length;
      this.#places.set(text, place);
      this.#texts.push(text);
      this.#companies.push(0);
      this.#reports.push(0);
    }
    return place;
  }

  get size(): number {
    return this.#texts.length;
  }

  add(place: number, companies: number, reports: number): void {
    this.#companies[place] = (this.#companies[place] ?? 0) + companies;
    this.#reports[place] = (this.#reports[place] ?? 0) + reports;
  }

  /** Groups with a company in them; texts that `name` calls alike are one group. */
  groups(name: (text: string | null) => string | null): CompanyGroup[] {
    const groups = new Map<string | null, { companies: number; reports: number }>();
    for (const [place, text] of this.#texts.entries()) {
      const companies = this.#companies[place] ?? 0;
      if (companies === 0) continue;
      const value = name(text);
      const group = groups.get(value) ?? { companies: 0, reports: 0 };
      groups.set(value, {
        companies: group.companies + companies,
        reports: group.reports + (this.#reports[place] ?? 0),
      });
    }
    return [...groups].map(([value, counts]) => ({ value, ...counts })).sort((a, b) => compareGroups(a.value, b.value));
  }
}

/** What each company adds to the counts, so that it can be taken away again. */
class Tallies {
  readonly #kinds: Readonly<Record<CompanyGroupBy, Kind>> = {
    letter: new Kind(),
    country: new Kind(),
    sector: new Kind(),
    industry: new Kind(),
  };
  /** Slots by company; a slot is {@link width} numbers. */
  readonly #slots = new Map<number, number>();
  readonly #free: number[] = [];
  #numbers = new Uint32Array(width * 256);
  #listed = 0;
  #gone = 0;

  put(id: number, row: Row): void {
    const listed = Number(row[1]);
    const gone = Number(row[2]);
    const slot = this.#free.pop() ?? this.#slots.size;
    this.#slots.set(id, slot);
    const at = this.#room(slot);
    this.#numbers[at] = listed;
    this.#numbers[at + 1] = gone;
    this.#listed += listed;
    this.#gone += gone;
    for (const [index, name] of kinds.entries()) {
      const value = row[columns[name]];
      const place = this.#kinds[name].place(typeof value === 'string' ? value : null);
      this.#kinds[name].add(place, 1, listed);
      this.#numbers[at + 2 + index] = place;
    }
  }

  take(id: number): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.#slots.delete(id);
    this.#free.push(slot);
    const at = slot * width;
    const listed = this.#numbers[at] ?? 0;
    this.#listed -= listed;
    this.#gone -= this.#numbers[at + 1] ?? 0;
    for (const [index, name] of kinds.entries()) {
      this.#kinds[name].add(this.#numbers[at + 2 + index] ?? 0, -1, -listed);
    }
  }

  get totals(): CompanyTotals {
    return { listed: this.#listed, gone: this.#gone, companies: this.#slots.size };
  }

  get texts(): number {
    return Math.max(...kinds.map((name) => this.#kinds[name].size));
  }

  /** True when many texts are of companies that say something else by now. */
  get isLoose(): boolean {
    return this.texts > this.#slots.size + 1000;
  }

  groups(by: CompanyGroupBy): CompanyGroup[] {
    return this.#kinds[by].groups(by === 'letter' ? (first) => letterOf(first ?? '') : (text) => text);
  }

  #room(slot: number): number {
    const at = slot * width;
    if (at + width > this.#numbers.length) {
      const wider = new Uint32Array(this.#numbers.length * 2);
      wider.set(this.#numbers);
      this.#numbers = wider;
    }
    return at;
  }
}

/** Listed and gone reports, and the place of each kind of group. */
const width = 2 + kinds.length;
