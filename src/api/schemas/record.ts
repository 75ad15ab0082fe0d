import * as z from 'zod/mini';
import { type JsonObject, own, put } from '../../base/json.ts';

/** Optional fields of a record: unknown, absent and ill-typed all read as null (CNV-1). */
export const text = z._default(z.nullable(z.string()), null);
export const integer = z._default(z.nullable(z.int()), null);
export const float = z._default(z.nullable(z.number()), null);
export const flag = z._default(z.nullable(z.boolean()), null);
/** A field whose type the interface leaves open: taken as it comes. */
export const open = z._default(z.unknown(), null);
/** Primary keys: numbers from 2^53 on can't be told from their neighbours, so they are refused. */
export const positiveId = z.int().check(z.positive());
export const filledText = z.string().check(z.minLength(1));

type RecordShape = Readonly<Record<string, z.ZodMiniType>>;

/** A record that was read, or why it could not be. */
export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** A record's named fields and, in `other`, all that is not named or has an unexpected type (RPT-2). */
export type RecordOf<S extends RecordShape> = { -readonly [K in keyof S]: z.output<S[K]> } & {
  other: Record<string, unknown>;
};

/** Makes a reader. A bad `required` field refuses the record; other bad fields become null and are kept in `other`. */
export function recordReader<S extends RecordShape>(
  shape: S,
  required: { readonly [K in keyof S]?: string },
): (raw: JsonObject) => Reading<RecordOf<S>> {
  const names = Object.keys(shape);
  /** An empty text says what null says (CNV-1); where null is no value, or the type is open, it stays what it is. */
  const emptiable = names.filter((name) => shape[name] !== open && z.safeParse(shape[name] ?? open, null).success);
  const known = new Set(names);
  let whole: { safeParse(raw: JsonObject): { success: boolean; data?: unknown } } | undefined;

  return (raw) => {
    whole ??= z.compile(z.object(shape));
    const fast = whole.safeParse(raw);
    const other: Record<string, unknown> = {};
    for (const name of Object.keys(raw)) if (!known.has(name)) put(other, name, raw[name]);
    if (fast.success) {
      const value = fast.data as Record<string, unknown>;
      for (const name of emptiable) if (value[name] === '') value[name] = null;
      value.other = other;
      return { ok: true, value: value as RecordOf<S> };
    }
    const value: Record<string, unknown> = {};
    for (const name of names) {
      const given = own(raw, name);
      const field = z.safeParse(shape[name] as z.ZodMiniType, given);
      if (field.success) {
        value[name] = field.data === '' && emptiable.includes(name) ? null : field.data;
        continue;
      }
      const reason = required[name];
      if (reason !== undefined) return { ok: false, reason };
      value[name] = null;
      other[name] = given;
    }
    value.other = other;
    return { ok: true, value: value as RecordOf<S> };
  };
}
