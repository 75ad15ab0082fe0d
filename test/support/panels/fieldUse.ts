import { FieldTally } from '../../../src/library/fieldUse.ts';
import { fieldUseView } from '../../../src/protocol/fieldUseView.ts';
import type { FieldUseView } from '../../../src/protocol/schemaDictionary.ts';
import { hostileReport, sampleReport, sparseReport } from './reports.ts';

const countries = ['Germany', 'Norway', 'Japan', 'United States', 'Brazil', 'South Africa'];

/** What counting some hundred reports gives; one of them tries to be more than text. */
export function countedLibrary(): FieldUseView {
  const tally = new FieldTally();
  const reports = 412;
  for (let n = 0; n < reports - 1; n++) {
    const report = n % 7 === 0 ? sparseReport : sampleReport({ company_country: countries[(n * n) % 6] ?? null });
    tally.add({ ...report.metadata, sha256: `${n}`, report_key: `KEY_${n}` });
  }
  tally.add(hostileReport.metadata);
  return fieldUseView(reports, tally.result(), 'en');
}
