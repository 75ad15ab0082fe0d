import type { LibraryCalls } from './library.ts';
import type { ReportSummary } from './reportQuery.ts';

const idForm = /^[1-9]\d{0,15}$/;
/** A company key, a year and the start of a type, at least: its words are then those of few reports. */
const keyForm = /^\S+_\d{4}(_\S*)?$/;
/** Reports that share the words of a key: all of one company. */
const maxAlike = 500;

/** The report id that a text is; undefined when it is none. */
export function reportIdOf(text: string): number | undefined {
  return idForm.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/** A fiscal year as it is typed among words; the last one of a span, in which it ends (FY-1). */
const yearForm = /(?:^|[\s/–-])((?:19|20)\d\d)(?=\s|$)/;

/** Up to `max` reports for what a person types: the one with that id or key, then those of a typed year. */
export async function findReports(
  calls: LibraryCalls,
  words: string,
  max: number,
): Promise<{ readonly named: ReportSummary | undefined; readonly reports: readonly ReportSummary[] }> {
  const text = words.trim();
  const id = reportIdOf(text);
  const isKey = keyForm.test(text);
  const [typed, year] = yearForm.exec(text) ?? [];
  const [byId, ofYear, { items }] = await Promise.all([
    id === undefined ? [] : calls.summaries([id]),
    typed === undefined
      ? []
      : calls.reports({ text: text.replace(typed, ' '), fcyear: [Number(year)], state: 'all' }, { limit: max }),
    calls.reports({ text, state: 'all' }, { limit: isKey ? maxAlike : max }),
  ]);
  const key = text.toUpperCase();
  const sameKey = isKey ? items.find(({ report_key }) => report_key.toUpperCase() === key) : undefined;
  const named = byId[0] ?? sameKey ?? (isKey && items.length < maxAlike ? await renamed(calls, text) : undefined);
  const found = [...(named ? [named] : []), ...('items' in ofYear ? ofYear.items : []), ...items];
  const once = new Map(found.map((report) => [report.report_id, report]));
  return { named, reports: [...once.values()].slice(0, max) };
}

async function renamed(calls: LibraryCalls, key: string): Promise<ReportSummary | undefined> {
  const held = await calls.report(key);
  return held ? (await calls.summaries([held.report.report_id]))[0] : undefined;
}
