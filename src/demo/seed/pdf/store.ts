import { createHash } from 'node:crypto';
import type { DemoPdf, DemoReport } from '../../catalogue.ts';
import type { PlannedReport } from '../plan.ts';
import type { DrawnPdf } from './reportPdf.ts';
import { drawReport } from './reportPdf.ts';
import { fillTemplate } from './template.ts';

const keptFiles = 64;

/** Finds what a report was planned to be, so that later changes of its record leave its file alone. */
export interface Plans {
  /** @throws RangeError when the report's company is unknown. */
  planOf(report: DemoReport): PlannedReport;
  /** True for a report of a generated company, whose PDF is filled in rather than drawn. */
  isGenerated(report: DemoReport): boolean;
}

/** Makes PDFs when asked for, and keeps the last 64. */
export class PdfStore {
  readonly #plans: Plans;
  readonly #kept = new Map<string, Promise<DemoPdf>>();

  constructor(plans: Plans) {
    this.#plans = plans;
  }

  /** @throws RangeError when the report has no file. */
  async pdf(report: DemoReport): Promise<DemoPdf> {
    if (!report.has_file) throw new RangeError(`Report ${report.report_id} has no file.`);
    const { report_id: id, fileVersion } = report;
    const planned = this.#plans.planOf(report);
    if (this.#plans.isGenerated(report)) return hashed(fillTemplate(planned, id, fileVersion));
    const key = `${id}.${fileVersion}`;
    const kept = this.#kept.get(key) ?? draw(planned, id, fileVersion);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > keptFiles && !oldest.done) this.#kept.delete(oldest.value);
    return kept;
  }
}

async function draw(planned: PlannedReport, id: number, fileVersion: number): Promise<DemoPdf> {
  const pdf = hashed(drawReport(planned, id, fileVersion));
  // A page of reports draws hundreds in a row; in between, others get their turn.
  await new Promise((resolve) => setImmediate(resolve));
  return pdf;
}

function hashed({ bytes, pages }: DrawnPdf): DemoPdf {
  return { bytes, pages, sha256: createHash('sha256').update(bytes).digest('hex') };
}
