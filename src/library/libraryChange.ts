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
  /** True when the state of the sync changed. */
  readonly sync: boolean;
}

/** Beyond this many a change names no reports. */
export const mostNamed = 1000;

export const noChange: LibraryChange = { reports: [], companies: [], renamed: [], news: false, sync: false };

/** A change after which anything may be different. */
export const anyChange: LibraryChange = { reports: 'many', companies: 'many', renamed: [], news: true, sync: true };

/** True when nothing changed. */
export function isNoChange(change: LibraryChange): boolean {
  return (
    change.reports.length === 0 &&
    change.companies.length === 0 &&
    change.renamed.length === 0 &&
    !change.news &&
    !change.sync
  );
}

/** Several changes as one. */
export function joinChanges(changes: readonly LibraryChange[]): LibraryChange {
  return {
    reports: joinNames(changes.map((change) => change.reports)),
    companies: joinNames(changes.map((change) => change.companies)),
    renamed: changes.flatMap((change) => change.renamed),
    news: changes.some((change) => change.news),
    sync: changes.some((change) => change.sync),
  };
}

function joinNames<T>(lists: readonly (readonly T[] | 'many')[]): readonly T[] | 'many' {
  const names = new Set<T>();
  for (const list of lists) {
    if (list === 'many') return 'many';
    for (const name of list) names.add(name);
  }
  return names.size > mostNamed ? 'many' : [...names];
}
