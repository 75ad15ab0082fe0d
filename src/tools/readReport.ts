import * as z from 'zod/mini';
import { columns } from '../api/schemas/fields.ts';
import { plain, reportInput, theReport } from './facts.ts';
import { fits, toolOf } from './tool.ts';

/** Values are cut so short, in characters, that all 50 fit: some scripts take a token for each of theirs. */
const [lengths, shortest] = [[200, 80], 30] as const;

export const readReportTool = toolOf({
  name: 'read_report',
  title: 'Read Report Metadata',
  description:
    'Gives what is known of a report: its 50 metadata columns, the names of those that are unknown (unknown is not "no"), and whether its PDF and the PDF\'s text are on this machine. The figures of a report are in its pages, not here: use reportlibrary_search_pages.',
  input: z.strictObject({ report: reportInput }),
  async run({ report: asked }, ports, signal) {
    const { report, state, fiscal_year, askedFor } = theReport(ports, asked);
    const known = columns.filter(({ name }) => report.metadata[name] !== '');
    const sha256 = report.content_sha256?.trim().toLowerCase() ?? null;
    const path = sha256 === null ? null : await ports.findPdf(report.report_id, sha256, signal);
    const text = sha256 === null ? undefined : ports.text?.pdfs().get(sha256);
    const answer = (max: number) => ({
      ...{ report_id: report.report_id, report_key: plain(report.report_key), sha256: plain(sha256) },
      ...{ state, fiscal_year, has_file: report.has_file },
      ...(askedFor !== null && { asked_for: askedFor }),
      metadata: Object.fromEntries(known.map(({ name }) => [name, plain(report.metadata[name], max)])),
      unknown: columns.filter(({ name }) => report.metadata[name] === '').map(({ name }) => name),
      pdf: { path, pages_with_text: text?.pdf.pages ?? 0 },
    });
    return answer(lengths.find((max) => fits(answer(max))) ?? shortest);
  },
});
