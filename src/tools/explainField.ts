import * as z from 'zod/mini';
import { fields } from '../api/schemas/fields.ts';
import { breather } from '../base/clock.ts';
import type { LibraryStore } from '../library/sqlite/sqliteStore.ts';
import { plain } from './facts.ts';
import { fits, ToolProblem, toolOf } from './tool.ts';

export const explainFieldTool = toolOf({
  name: 'explain_field',
  title: 'Explain Field',
  description:
    'Explains a metadata field: type, meaning, and how the listed reports of this library fill it (how many, the most frequent values). Without a field it lists all of them.',
  input: z.strictObject({
    field: z.optional(z.string().check(z.maxLength(100), z.describe('Column or API name, e.g. gri_level'))),
  }),
  async run({ field: asked }, { library }, signal) {
    if (asked === undefined)
      return { fields: fields.map(({ name, apiField, type }) => `${name ?? apiField}: ${type}`) };
    const wanted = asked.trim().toLowerCase();
    const field = fields.find(({ name, apiField }) => name === wanted || apiField === wanted);
    if (!field) {
      throw new ToolProblem('There is no such field. Call reportlibrary_explain_field without a field for all names.');
    }
    const { total, counted, fields: used } = await fieldUse(library, signal);
    const use = used.find(({ column }) => column === field.name);
    const about = {
      ...{ field: field.name ?? field.apiField, api_field: field.apiField, number: field.number, type: field.type },
      ...{ label: field.label, meaning: field.meaningAsTold, reports: total },
      ...(counted < total && { counted_reports: counted }),
    };
    if (!use) return { ...about, filled: null };
    const values = use.values.map(({ value, count }) => ({ value: plain(value), count }));
    const whole = { ...about, filled: use.filled, distinct: use.distinct, most_frequent: values };
    return fits(whole) ? whole : { ...whole, most_frequent: values.slice(0, 3) };
  },
});

/** Reports that are counted: more would take longer than anybody waits for it. */
const enough = 20_000;

/** Counted to its end: half a count would be another answer each time. */
async function fieldUse(library: LibraryStore, signal: AbortSignal) {
  const breathe = breather();
  for (;;) {
    const { total, counted, fields: used } = library.fieldUse(enough);
    if (used) return { total, counted, fields: used };
    await breathe();
    signal.throwIfAborted();
  }
}
