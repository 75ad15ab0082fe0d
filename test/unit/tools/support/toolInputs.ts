import fc from 'fast-check';
import { triStateFields } from '../../../../src/library/reportQuery.ts';
import { known, withPdf } from './toolWorld.ts';

/** A call of a tool: its name without the prefix, and an input. */
export type ToolCall = readonly [name: string, input: Record<string, unknown>];

const given = known.slice(0, 40);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const report = fc.oneof(
  fc.constantFrom(...withPdf.map(({ report_id }) => report_id)),
  fc.constantFrom(...given.map(({ report_key }) => report_key)),
);
const company = fc.constantFrom(...given.map(({ company_key }) => company_key));
const limit = optional(fc.integer({ min: 1, max: 10 }));
const words = fc.constantFrom('emissions', 'scope 1', '"board met"', 'sust*', 'annual report', 'twelve', 'x');
const tools: Readonly<Record<string, fc.Arbitrary<Record<string, unknown>>>> = {
  find_companies: fc.record({
    queries: fc.array(fc.oneof(company, words, fc.constantFrom('Alder', 'plc', 'DE0001234567')), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  find_reports: fc.record({
    ...{ text: optional(words), company_key: optional(fc.array(company, { maxLength: 2 })), limit },
    fiscal_year: optional(fc.uniqueArray(fc.constantFrom(2018, 2022, 2023, null))),
    flags: optional(
      fc.dictionary(fc.constantFrom(...triStateFields), fc.constantFrom('yes', 'no', 'undetermined'), { maxKeys: 2 }),
    ),
    sort: optional(fc.constant('published')),
  }),
  read_report: fc.record({ report }),
  explain_field: fc.record({ field: optional(fc.constantFrom('type', 'gri_level', 'none', 'report_lang')) }),
  list_changes: fc.record({ since: optional(fc.constantFrom('2020-01-01', '2030-01-01')), limit }),
  search_pages: fc.record({ query: words, report: optional(report), company_key: optional(company), limit }),
  read_pages: fc.record({ report, from: fc.integer({ min: 1, max: 6 }), to: optional(fc.integer({ min: 1, max: 6 })) }),
  verify_quote: fc.record({
    report,
    page: fc.integer({ min: 1, max: 5 }),
    quote: fc.constantFrom('met twelve times.', 'emissions of', 'The board never met at all.'),
  }),
};

/** Calls as a model makes them; all inputs are valid, not all find something. */
export const usualCalls: fc.Arbitrary<ToolCall> = fc
  .constantFrom(...Object.keys(tools))
  .chain((name) => fc.tuple(fc.constant(name), tools[name] ?? fc.constant({})));

const names = [
  'queries',
  'text',
  'report',
  'query',
  'field',
  'since',
  'cursor',
  'from',
  'to',
  'page',
  'quote',
  'flags',
];
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('__proto__', '../../etc/passwd', "' OR 1=1 --", '\0', '"', '*', 'NEAR(', '\ud800', '9'.repeat(400)),
  fc.double(),
  fc.maxSafeInteger(),
  fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
  fc.constantFrom(null, true, {}, [], -0, Number.NaN, Number.POSITIVE_INFINITY),
);

/** Calls with anything in the place of any input: some of an otherwise usual call, some of none. */
export const oddCalls: fc.Arbitrary<ToolCall> = fc
  .tuple(
    usualCalls,
    fc.dictionary(fc.constantFrom(...names, 'company_key', 'limit', 'fiscal_year'), odd, { maxKeys: 3 }),
  )
  .map(([[name, input], more]) => [name, { ...input, ...more }] as const);
