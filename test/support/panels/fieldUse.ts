import { type ColumnUse, countedUse } from '../../../src/panels/dictionary.ts';
import { bring, openInMemory } from '../../unit/library/support/stores.ts';
import { hostileReport, sampleReport, sparseReport } from './reports.ts';

const countries = ['Germany', 'Norway', 'Japan', 'United States', 'Brazil', 'South Africa'];

/** What counting some hundred reports gives; one of them tries to be more than text. */
export function countedLibrary(): ColumnUse {
  const reports = Array.from({ length: 412 }, (_, n) => {
    // It takes no other's place: all 412 are counted.
    if (n === 411) return { ...hostileReport, report_id: n + 1, requested_legacy_report_id: null };
    const report = n % 7 === 0 ? sparseReport : sampleReport({ company_country: countries[(n * n) % 6] ?? null });
    const metadata = { ...report.metadata, sha256: `${n}`, report_key: `KEY_${n}` };
    return { ...report, report_id: n + 1, metadata };
  });
  const store = openInMemory();
  bring(store, reports);
  while (!store.fieldUse().fields) {}
  const { fields } = store.fieldUse();
  store.close();
  return countedUse(reports.length, fields ?? []);
}
