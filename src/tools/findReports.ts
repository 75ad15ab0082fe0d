import * as z from 'zod/mini';
import { columns } from '../api/schemas/fields.ts';
import { type ReportQuery, triStateFields } from '../library/reportQuery.ts';
import { cursorInput, plain, reportInput, reportRow, theReport } from './facts.ts';
import { fits, toolOf } from './tool.ts';

const maxReports = 20;
const texts = (what: string) =>
  z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.maxLength(20), z.describe(what)));
const said = { yes: true, no: false, undetermined: null } as const;

export const findReportsTool = toolOf({
  name: 'find_reports',
  title: 'Find Reports',
  description:
    'Lists reports of the local library, latest fiscal year first. Different filters AND, values of one filter OR. A flag has three values: "no" means the report rules it out, "undetermined" that it does not say. Cite report_key and sha256.',
  input: z.strictObject({
    text: z.optional(
      z.string().check(z.maxLength(300), z.describe('Words of the title, company, identifiers or report_key')),
    ),
    company_key: texts('From reportlibrary_find_companies'),
    fiscal_year: z.optional(
      z.array(z.nullable(z.int())).check(z.maxLength(30), z.describe('Not the cover year; null: undated')),
    ),
    type: texts('Report type codes, e.g. SR, IR, AR2'),
    language: texts('ISO 639-1'),
    country: texts('As find_reports and find_companies write it'),
    sector: texts('As find_companies writes it'),
    flags: z.optional(
      z
        .partialRecord(z.enum(triStateFields), z.enum(['yes', 'no', 'undetermined']))
        .check(z.describe('Frameworks and other three-valued facts')),
    ),
    sort: z.optional(z.literal('published').check(z.describe('Latest publication first'))),
    include_gone: z.optional(z.boolean().check(z.describe('Also withdrawn and removed ones'))),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(maxReports)), 10),
    cursor: cursorInput,
  }),
  run(input, { library }) {
    const query: ReportQuery = {
      text: input.text,
      sort: input.sort,
      company_key: orAll(input.company_key),
      fcyear: orAll(input.fiscal_year),
      type: orAll(input.type),
      language: orAll(input.language),
      country: orAll(input.country),
      sector: orAll(input.sector),
      facts: input.flags && factsOf(input.flags),
      state: input.include_gone === true ? 'all' : 'listed',
    };
    const total = library.countReports(query);
    const { items, next } = library.reports(query, { limit: input.limit, after: input.cursor });
    return { total, reports: items.map(reportRow), next };
  },
});

/** An empty list of a model means that it asks for nothing in particular. */
function orAll<T>(values: readonly T[] | undefined): readonly T[] | undefined {
  return values?.length === 0 ? undefined : values;
}

type Flags = Partial<Record<(typeof triStateFields)[number], keyof typeof said>>;

function factsOf(flags: Flags): NonNullable<ReportQuery['facts']> {
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, said[value]]));
}

/** Values are cut so short, in characters, that all 50 fit: some scripts take a token for each of theirs. */
const [lengths, shortest] = [[200, 80], 30] as const;

export const readReportTool = toolOf({
  name: 'read_report',
  title: 'Read Report Metadata',
  description:
    'Gives what is known of a report: its 50 metadata columns, the names of those that are unknown (unknown is not "no"), and whether its PDF and the PDF\'s text are on this computer. The figures of a report are in its pages, not here: use reportlibrary_search_pages.',
  input: z.strictObject({ report: reportInput }),
  async run({ report: asked }, ports, signal) {
    const { report, state, fiscal_year, askedFor } = theReport(ports, asked);
    const known = columns.filter(({ name }) => report.metadata[name] !== '');
    const sha256 = report.content_sha256?.trim().toLowerCase() ?? null;
    const found = sha256 === null ? { path: null } : await ports.findPdf({ ...report, sha256 }, signal);
    const text = sha256 === null ? undefined : ports.text?.pdfs().get(sha256);
    const answer = (max: number) => ({
      ...{ report_id: report.report_id, report_key: plain(report.report_key), sha256: plain(sha256) },
      ...{ state, fiscal_year, has_file: report.has_file },
      ...(askedFor !== null && { asked_for: askedFor }),
      metadata: Object.fromEntries(known.map(({ name }) => [name, plain(report.metadata[name], max)])),
      unknown: columns.filter(({ name }) => report.metadata[name] === '').map(({ name }) => name),
      pdf: { ...found, pages_with_text: text?.pdf.pages ?? 0 },
    });
    return answer(lengths.find((max) => fits(answer(max))) ?? shortest);
  },
});
