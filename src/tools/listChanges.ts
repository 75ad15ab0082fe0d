import * as z from 'zod/mini';
import type { LibraryStore } from '../library/sqlite/sqliteStore.ts';
import type { LoggedChange } from '../library/store.ts';
import { cursorInput, plain, reportRow } from './facts.ts';
import { ToolProblem, toolOf } from './tool.ts';

const maxChanges = 20;
/** Changes that are looked at in one call. */
const maxLooked = 20_000;
const pageLength = 500;

export const listChangesTool = toolOf({
  name: 'list_changes',
  title: 'List Changes',
  description:
    'Lists what changed in the local library, newest first: new reports, another PDF ("pdf"), other metadata, withdrawn and removed ones. `synced_at` says how old the library is.',
  input: z.strictObject({
    since: z.optional(z.string().check(z.maxLength(40), z.describe('ISO 8601 date or time; changes from then on'))),
    kinds: z.optional(z.array(z.enum(['new', 'pdf', 'metadata', 'withdrawn', 'removed']))),
    company_key: z.optional(z.string().check(z.maxLength(300))),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(maxChanges)), 10),
    cursor: cursorInput,
  }),
  run(input, { library }) {
    const since = input.since === undefined ? Number.NEGATIVE_INFINITY : timeOf(input.since);
    const before = input.cursor === undefined ? undefined : Number(input.cursor);
    if (before !== undefined && !(Number.isSafeInteger(before) && before > 0)) {
      throw new ToolProblem('`cursor` is none of this tool. Call again without it.');
    }
    const isWanted = ({ kind, company_key }: LoggedChange) =>
      (input.kinds?.includes(kind) ?? true) && (input.company_key ?? company_key) === company_key;
    const { limit } = input;
    const found = changesFrom(library, { since, before, isWanted, limit: limit + 1 });
    const synced = library.syncRecord().syncedAt;
    return {
      synced_at: synced === null ? null : new Date(synced).toISOString(),
      changes: found.slice(0, limit).map(changeRow),
      next: found.length > limit ? String(found[limit - 1]?.seq) : null,
    };
  },
});

/** A date of the calendar, or a time of it whose zone is known: anything else means another day to each reader. */
const dateOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

function timeOf(text: string): number {
  const read = z.safeParse(dateOrTime, text.trim());
  if (read.success) return Date.parse(read.data);
  throw new ToolProblem('`since` is no date. Write it as 2026-01-31 or 2026-01-31T12:00:00Z and call again.');
}

interface WantedChanges {
  readonly since: number;
  readonly before: number | undefined;
  readonly isWanted: (change: LoggedChange) => boolean;
  readonly limit: number;
}

function changesFrom(library: LibraryStore, { since, before, isWanted, limit }: WantedChanges): LoggedChange[] {
  const found: LoggedChange[] = [];
  let next = before;
  for (let looked = 0; looked < maxLooked; looked += pageLength) {
    const page = library.changes({ before: next, limit: pageLength });
    for (const change of page) {
      // The log is in the order in which changes came in, which may differ from that of their times.
      if (change.at >= since && isWanted(change)) found.push(change);
      if (found.length === limit) return found;
    }
    next = page.at(-1)?.seq;
    if (page.length < pageLength) break;
  }
  return found;
}

function changeRow(change: LoggedChange) {
  const { kind, at, fields, renamed, ...report } = change;
  return {
    ...{ kind, at: new Date(at).toISOString() },
    ...(fields.length > 0 && { fields: fields.slice(0, 10).map((field) => plain(field)) }),
    ...(renamed !== null && { renamed: { from: plain(renamed.from), to: plain(renamed.to) } }),
    ...reportRow(report),
  };
}
