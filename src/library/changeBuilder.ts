import { type LibraryChange, mostNamed } from './libraryChange.ts';
import type { WriteCounts } from './store.ts';

/** What became of one record. */
export type Outcome = keyof WriteCounts;

/** Gathers, over one write, what it changed and how much it did. */
export class ChangeBuilder {
  readonly #reports = new Set<number>();
  readonly #companies = new Set<string>();
  readonly #renamed: { readonly from: string; readonly to: string }[] = [];
  readonly #counts: Record<Outcome, number> = {
    added: 0,
    changed: 0,
    unchanged: 0,
    withdrawn: 0,
    removed: 0,
    quarantined: 0,
  };
  news = false;
  sync = false;

  report(reportId: number, companyKey: string): void {
    this.#reports.add(reportId);
    this.#companies.add(companyKey);
  }

  company(companyKey: string): void {
    this.#companies.add(companyKey);
  }

  renamed(from: string, to: string): void {
    if (this.#renamed.some((entry) => entry.from === from && entry.to === to)) return;
    this.#renamed.push({ from, to });
    this.#companies.add(from);
    this.#companies.add(to);
  }

  count(outcome: Outcome): void {
    this.#counts[outcome]++;
  }

  get counts(): WriteCounts {
    return { ...this.#counts };
  }

  get change(): LibraryChange {
    return {
      reports: this.#reports.size > mostNamed ? 'many' : [...this.#reports],
      companies: this.#companies.size > mostNamed ? 'many' : [...this.#companies],
      renamed: this.#renamed,
      news: this.news,
      sync: this.sync,
    };
  }
}
