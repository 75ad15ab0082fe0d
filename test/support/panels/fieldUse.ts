import { FieldUseCount } from '../../../src/library/fieldUse.ts';
import type { FieldUseView } from '../../../src/protocol/schema.ts';
import { fieldUseView } from '../../../src/protocol/schemaView.ts';
import { hostileReport, sampleReport, sparseReport } from './reports.ts';

const countries = ['Germany', 'Norway', 'Japan', 'United States', 'Brazil', 'South Africa'];

/** What counting some hundred reports gives; one of them tries to be more than text. */
export function countedLibrary(): FieldUseView {
  const reports = Array.from({ length: 412 }, (_, n) => {
    if (n === 411) return { report_id: n, metadata: hostileReport.metadata };
    const report = n % 7 === 0 ? sparseReport : sampleReport({ company_country: countries[(n * n) % 6] ?? null });
    return { report_id: n, metadata: { ...report.metadata, sha256: `${n}`, report_key: `KEY_${n}` } };
  });
  const count = new FieldUseCount({ after: (id) => reports.slice(id === 0 ? 0 : id + 1), total: () => reports.length });
  count.advance();
  return fieldUseView(reports.length, count.advance().fields ?? [], 'en');
}
