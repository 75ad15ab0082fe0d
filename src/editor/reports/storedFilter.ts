import { isRecord } from '../common/arguments.ts';
import { factNames, isEmptyFilter, type ReportsFilter } from './filter.ts';

/** A filter under a name. */
export interface SavedFilter {
  readonly name: string;
  readonly filter: ReportsFilter;
}

/** Where saved filters are kept; the editor's own state of the machine. */
export interface FilterMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

const memoryKey = 'reports.savedFilters';
const mostSaved = 200;

const lastKey = 'reports.filter';

/** The filter that the Reports view of this workspace had last; empty when it had none. */
export function rememberedFilter(memory: FilterMemory): ReportsFilter {
  return readFilter(memory.get(lastKey));
}

export async function rememberFilter(memory: FilterMemory, filter: ReportsFilter): Promise<void> {
  await memory.update(lastKey, isEmptyFilter(filter) ? undefined : filter);
}

/** Saved filters by name. What an older or newer version wrote and this one cannot read is left out. */
export function savedFilters(memory: FilterMemory): SavedFilter[] {
  const stored = memory.get(memoryKey);
  if (!Array.isArray(stored)) return [];
  const read = stored.flatMap((entry: unknown): SavedFilter[] => {
    if (!isRecord(entry) || typeof entry.name !== 'string' || !('filter' in entry)) return [];
    return [{ name: entry.name, filter: readFilter(entry.filter) }];
  });
  return read.sort((a, b) => a.name.localeCompare(b.name));
}

/** Saves a filter; one that had its name goes. */
export async function saveFilter(memory: FilterMemory, saved: SavedFilter): Promise<void> {
  const others = savedFilters(memory).filter(({ name }) => name !== saved.name);
  await memory.update(memoryKey, [saved, ...others].slice(0, mostSaved));
}

export async function deleteFilter(memory: FilterMemory, name: string): Promise<void> {
  await memory.update(
    memoryKey,
    savedFilters(memory).filter((saved) => saved.name !== name),
  );
}

/** Reads a filter as it was stored; members that are none are dropped. */
export function readFilter(stored: unknown): ReportsFilter {
  if (!isRecord(stored)) return {};
  const given = stored as Record<string, unknown>;
  const filter: Record<string, unknown> = {};
  if (typeof given.text === 'string' && given.text !== '') filter.text = given.text;
  const isText = (value: unknown) => typeof value === 'string' || value === null;
  for (const name of ['type', 'class', 'language', 'country', 'sector', 'industry', 'assurance_level']) {
    copyList(filter, given, name, isText);
  }
  for (const name of ['company_key', 'isin']) copyList(filter, given, name, (value) => typeof value === 'string');
  copyList(filter, given, 'fcyear', (value) => value === null || Number.isSafeInteger(value));
  for (const name of ['splitYears', 'downloaded']) if (typeof given[name] === 'boolean') filter[name] = given[name];
  if (isRecord(given.facts)) {
    const facts = Object.entries(given.facts).filter(
      ([field, value]) => Object.hasOwn(factNames, field) && (typeof value === 'boolean' || value === null),
    );
    if (facts.length > 0) filter.facts = Object.fromEntries(facts);
  }
  return filter as ReportsFilter;
}

function copyList(
  filter: Record<string, unknown>,
  given: Record<string, unknown>,
  name: string,
  fits: (value: unknown) => boolean,
): void {
  const list = given[name];
  if (Array.isArray(list) && list.length > 0 && list.every(fits)) filter[name] = list;
}
