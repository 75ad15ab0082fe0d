export interface WriteCounts {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly withdrawn: number;
  /** Found missing by a full walk. */
  readonly removed: number;
  readonly quarantined: number;
}

export const noCounts: WriteCounts = { added: 0, changed: 0, unchanged: 0, withdrawn: 0, removed: 0, quarantined: 0 };

export type CountSum = { -readonly [Name in keyof WriteCounts]: number };

export function addCounts(sum: CountSum, more: WriteCounts): void {
  for (const name in more) sum[name as keyof WriteCounts] += more[name as keyof WriteCounts];
}

/** What a write changed, so that views refresh only what they show. */
export interface LibraryChange {
  /** Reports added, changed, withdrawn or relisted; `many` when too many to name. */
  readonly reports: readonly number[] | 'many';
  /** Keys of the companies those belong to, and of companies whose own description changed. */
  readonly companies: readonly string[] | 'many';
  /** Companies that go by another key now (COM-1). */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** True when "What's New" or its marker changed. */
  readonly news: boolean;
  readonly sync: boolean;
}

/** Beyond this many a change names no reports. */
export const maxNamed = 1000;

export const noChange: LibraryChange = { reports: [], companies: [], renamed: [], news: false, sync: false };

export const anyChange: LibraryChange = { reports: 'many', companies: 'many', renamed: [], news: true, sync: true };

export function isNoChange(change: LibraryChange): boolean {
  const { reports, companies, renamed, news, sync } = change;
  return reports.length + companies.length + renamed.length === 0 && !news && !sync;
}

export function joinChanges(changes: readonly LibraryChange[]): LibraryChange {
  return {
    reports: joinNames(changes.map(({ reports }) => reports)),
    companies: joinNames(changes.map(({ companies }) => companies)),
    renamed: changes.flatMap(({ renamed }) => renamed),
    news: changes.some(({ news }) => news),
    sync: changes.some(({ sync }) => sync),
  };
}

function joinNames<T>(lists: readonly (readonly T[] | 'many')[]): readonly T[] | 'many' {
  const names = new Set<T>();
  for (const list of lists) {
    if (list === 'many') return 'many';
    for (const name of list) names.add(name);
  }
  return names.size > maxNamed ? 'many' : [...names];
}

export type Outcome = keyof WriteCounts;

export class ChangeBuilder {
  readonly counts: CountSum = { ...noCounts };
  news = false;
  sync = false;
  readonly #reports = new Set<number>();
  readonly #companies = new Set<string>();
  /** Each pair of keys once. */
  readonly #renamed = new Map<string, { readonly from: string; readonly to: string }>();

  report(reportId: number, companyKey: string): void {
    this.#reports.add(reportId);
    this.#companies.add(companyKey);
  }

  company(companyKey: string): void {
    this.#companies.add(companyKey);
  }

  renamed(from: string, to: string): void {
    this.#renamed.set(`${from}\n${to}`, { from, to });
    this.#companies.add(from).add(to);
  }

  get change(): LibraryChange {
    return {
      reports: joinNames([[...this.#reports]]),
      companies: joinNames([[...this.#companies]]),
      renamed: [...this.#renamed.values()],
      news: this.news,
      sync: this.sync,
    };
  }
}
