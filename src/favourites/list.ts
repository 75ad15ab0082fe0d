import * as z from 'zod/mini';
import { l10n } from '../base/l10n.ts';
import { plainText } from '../base/words.ts';

/** Name of the list that a team shares, anywhere in a workspace. */
export const listName = 'reports.list.json';

/** A company or a report that a person starred, with what they say of it. */
export interface Favourite {
  readonly company_key: string;
  /** Null for a company. */
  readonly report_id: number | null;
  readonly report_key: string | null;
  readonly tags: readonly string[];
  /** One line; empty for none. */
  readonly note: string;
}

/** Which company or report. */
export type FavouriteName = Pick<Favourite, 'company_key' | 'report_id'>;

/** Thrown when a list can't be read or would become too long. Its message is fit to be shown. */
export class ListProblem extends Error {
  override readonly name = 'ListProblem';
}

/** More than anyone stars: a list is read whole, in the window. */
export const maxItems = 50_000;

/** Longest text of a list, in characters; so many bytes are read at most. */
export const maxListText = 16_000_000;

const [maxKey, maxNote, maxTag, maxTags] = [500, 500, 40, 20];

const textOrNull = z.optional(z.nullable(z.string()));
const key = z.string().check(z.minLength(1), z.maxLength(maxKey));
const itemSchema = z.object({
  company_key: key,
  report_id: z.optional(z.nullable(z.int().check(z.positive()))),
  report_key: z.optional(z.nullable(key)),
  tags: z.optional(z.nullable(z.array(z.string()))),
  note: textOrNull,
});

/**
 * Reads a list in any layout; anyone may have written it. Duplicate entries, as a merge can leave them, become one.
 * @param file what a person calls the file
 * @param onCut see {@link joined}
 * @throws ListProblem that says what is wrong, and where
 */
export function parseList(text: string, file: string, onCut?: () => void): Favourite[] {
  const { version, items } = readJson(text, file);
  if (typeof version === 'number' && version > 1)
    throw new ListProblem(
      l10n.t('{0} has version {1}, which this version can’t read. Update Report Library.', file, version),
    );
  if (version !== 1 || !Array.isArray(items))
    throw new ListProblem(l10n.t('{0} is not a list of companies and reports.', file));
  if (items.length > maxItems) throw tooMany(file);
  return joined(
    items.map((item, index) => readItem(item, index, file)),
    'add',
    onCut,
  );
}

function readJson(text: string, file: string): Readonly<Record<string, unknown>> {
  if (text.length > maxListText) throw new ListProblem(l10n.t('{0} is larger than 16 MB, so it is not read.', file));
  try {
    const whole: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof whole === 'object' && whole !== null ? { ...whole } : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const conflict = /^(?:<{7}|>{7}|\|{7})/m.exec(text);
    if (!conflict) throw new ListProblem(l10n.t('{0} is not valid JSON. Correct it, then try again.', file));
    const line = text.slice(0, conflict.index).split('\n').length;
    throw new ListProblem(l10n.t('{0} has a merge conflict in line {1}. Resolve it, then try again.', file, line));
  }
}

/** For more entries than a list has. */
export function tooMany(file: string): ListProblem {
  return new ListProblem(l10n.t('{0} can hold at most {1} entries.', file, maxItems));
}

function readItem(value: unknown, index: number, file: string): Favourite {
  const { data, error } = itemSchema.safeParse(value);
  if (data) return favourite(data, { note: data.note ?? '', tags: data.tags ?? [] }, data.report_key);
  const member = error.issues[0]?.path.join('.') || l10n.t('the entry');
  throw new ListProblem(l10n.t('{0} has a wrong entry {1}: {2}. Correct it, then try again.', file, index + 1, member));
}

/** False for a key that no list holds. */
export function isKey(text: string): boolean {
  return text !== '' && text.length <= maxKey;
}

/** A favourite with its note on one line and its tags in order. @throws ListProblem for a company that no list holds */
export function favourite(
  name: { readonly company_key: string; readonly report_id?: number | null | undefined },
  { note, tags }: Pick<Favourite, 'note' | 'tags'>,
  reportKey: string | null = null,
): Favourite {
  const { company_key, report_id = null } = name;
  if (!isKey(company_key))
    throw new ListProblem(
      l10n.t('The key of this company is longer than {0} characters, so it can’t be kept.', maxKey),
    );
  const report_key = report_id !== null && reportKey !== null && isKey(reportKey) ? reportKey : null;
  return { company_key, report_id, report_key, tags: tidyTags(tags), note: tidyNote(note) };
}

/** For a person whose notes became too long where two favourites became one. */
export function cutWords(): string {
  return l10n.t('Two notes became one that was longer than {0} characters, so its end was cut.', maxNote);
}

/** A note as it is kept. */
export function tidyNote(text: string): string {
  return plainText(text, maxNote);
}

/** Tags as they are kept: each once, in order. A comma stands between two, never in one. */
export function tidyTags(tags: readonly string[]): string[] {
  const tidied = tags.slice(0, 10 * maxTags).flatMap((tag) => tag.slice(0, 10 * maxTag).split(','));
  const plain = new Set(tidied.map((tag) => plainText(tag, maxTag).replace(/^#+ ?/, '')));
  return [...plain]
    .filter((tag) => tag !== '')
    .sort(byText)
    .slice(0, maxTags);
}

/** Tells favourites apart. */
export function nameOf({ company_key, report_id }: FavouriteName): string {
  return report_id === null ? `company:${company_key}` : `report:${report_id}`;
}

/**
 * Each company and report once, in the order of lists. Of what occurs more than once the first counts, with the tags of
 * all; a note that differs from it is added.
 * @param onCut told of each note that became too long so, and lost its end
 */
export function joined(items: Iterable<Favourite>, onNotes: 'add' | 'keep' = 'add', onCut?: () => void): Favourite[] {
  const byName = new Map<string, Favourite>();
  for (const item of items) {
    const name = nameOf(item);
    const first = byName.get(name);
    const isNew = !first || first.note === '' || (onNotes === 'add' && !first.note.includes(item.note));
    const notes = isNew ? [first?.note, item.note].filter(Boolean) : [first.note];
    const note = notes.join(' · ');
    if (note.length > maxNote) onCut?.();
    const tags = first ? [...first.tags, ...item.tags] : item.tags;
    byName.set(name, first ? favourite(first, { note, tags }, first.report_key) : item);
  }
  return [...byName.values()].sort(
    (a, b) => byText(a.company_key, b.company_key) || (a.report_id ?? 0) - (b.report_id ?? 0),
  );
}

/** The entries of a list that say something which mine don't. */
export function beyond(theirs: readonly Favourite[], mine: readonly Favourite[]): Favourite[] {
  const byName = new Map(mine.map((item) => [nameOf(item), item]));
  return theirs.filter((item) => {
    const own = byName.get(nameOf(item));
    return !own || !['', own.note].includes(item.note) || item.tags.some((tag) => !own.tags.includes(tag));
  });
}

/** A list as it was before a change, but for what was changed again since: `left` is what the change made. */
export function undone(
  now: readonly Favourite[],
  left: readonly Favourite[],
  before: readonly Favourite[],
): Favourite[] {
  const made = new Set(left.map((item) => JSON.stringify(item)));
  const back = new Set(now.filter((item) => made.has(JSON.stringify(item))).map(nameOf));
  const rest = now.filter((item) => !back.has(nameOf(item)));
  return joined([...rest, ...before.filter((item) => back.has(nameOf(item)))]);
}

/** The same on every machine, whatever its language. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The text of a list: sorted, an entry a line, to compare and merge well. @throws ListProblem for too much */
export function formatList(items: readonly Favourite[], file: string): string {
  if (items.length > maxItems) throw tooMany(file);
  const lines = joined(items).map(({ company_key, report_id, report_key, tags, note }) =>
    JSON.stringify({ company_key, report_id, report_key, tags, note }),
  );
  const text = `{\n  "version": 1,\n  "items": [${lines.map((line) => `\n    ${line}`).join(',')}${lines.length > 0 ? '\n  ' : ''}]\n}\n`;
  if (text.length > maxListText)
    throw new ListProblem(l10n.t('{0} would become larger than 16 MB, so nothing was changed.', file));
  return text;
}

/** What a report goes by. */
interface ReportNames {
  readonly report_id: number;
  readonly report_key: string;
  readonly company_key: string;
}

/** What the library on this machine knows of reports and companies, by their present and former ids and keys. */
export interface KnownNames {
  summaries(reportIds: readonly number[]): Promise<readonly (ReportNames & { readonly state: string })[]>;
  report(id: number): Promise<{ readonly report: ReportNames; readonly state: string } | null>;
  company(key: string): Promise<{ readonly company_key: string } | null>;
}

/** What favourites are called now, by what they are called in a list. */
export type Moves = ReadonlyMap<string, NewNames>;

type NewNames = Partial<Favourite> & Pick<Favourite, 'company_key'>;

/**
 * Those favourites that go by another name now: one of a merged report goes to the survivor (RID-1), one of a renamed
 * company or report takes the new key (COM-1, RID-2). Withdrawn and unknown ones stay as they are.
 */
export async function movesOf(items: readonly Favourite[], known: KnownNames): Promise<Moves> {
  const ids = items.flatMap(({ report_id }) => report_id ?? []);
  const held = new Map((await known.summaries(ids)).map((report) => [report.report_id, report]));
  const moves = new Map<string, NewNames>();
  for (const item of items) {
    const names = item.report_id === null ? await companyNow(item.company_key) : await reportNow(item.report_id);
    const isSame = Object.entries(names ?? {}).every(([member, value]) => item[member as keyof Favourite] === value);
    if (names && !isSame && isKey(names.company_key)) moves.set(nameOf(item), names);
  }
  return moves;

  async function companyNow(key: string): Promise<NewNames | undefined> {
    const company = await known.company(key);
    return company ? { company_key: company.company_key } : undefined;
  }

  async function reportNow(id: number): Promise<NewNames | undefined> {
    const report = held.get(id);
    const survivor = report?.state === 'listed' ? undefined : await known.report(id);
    const now = survivor?.state === 'listed' ? survivor.report : report;
    if (!now) return undefined;
    const report_key = isKey(now.report_key) ? now.report_key : null;
    return { report_id: now.report_id, report_key, company_key: now.company_key };
  }
}

/**
 * A list by the present names; two favourites that became one keep the notes and tags of both.
 * @param onCut told of each note that lost its end, being too long together
 */
export function movedFavourites(items: readonly Favourite[], moves: Moves, onCut?: () => void): Favourite[] {
  const renamed = items.map((item) => ({ ...item, ...moves.get(nameOf(item)) }));
  return joined(renamed, 'add', onCut);
}
