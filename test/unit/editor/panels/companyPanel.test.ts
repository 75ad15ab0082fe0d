import assert from 'node:assert/strict';
import { fiscalYearOf } from '../../../../src/api/schemas/fields.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { companyPanel } from '../../../../src/editor/panels/companyPanel.ts';
import { noFavorites } from '../../../../src/favorites/favorites.ts';
import { sampleCompany } from '../../../support/panels/coverage.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';
import { sampleReport } from '../../../support/panels/reports.ts';

describe('the page of a company', () => {
  it('downloads the chosen cells of its matrix, without reports that have no PDF', async () => {
    const report = { ...sampleReport(), report_type: 'SR', has_file: true };
    const reports = [report, { ...report, report_id: 2, has_file: false }, { ...report, report_id: 3 }];
    const year = fiscalYearOf(report);
    const stored = reports.map((one) => ({ report: one, fiscal_year: year, askedFor: null }));
    const library = {
      syncRecord: async () => ({ phase: 'following' }),
      company: async () => sampleCompany,
      reports: async () => ({ items: reports }),
      storedReports: async () =>
        stored.map((one) => ({ ...one, state: one.report.report_id === 3 ? 'withdrawn' : 'listed' })),
      withSignal: () => library,
    };
    const services = { library: async () => ({ library, engine: {} }) };
    const offered: unknown[] = [];
    const ports = {
      ...{ services, log: silentLogger, sync: { start() {} }, localFiles: async () => new Map() },
      favorites: { read: async () => noFavorites },
      downloads: { offer: async (chosen: unknown) => void offered.push(chosen) },
    };
    const { panel, say, told, close } = openPanel();
    companyPanel(panel, ports as unknown as Parameters<typeof companyPanel>[1], sampleCompany.company_key);
    say({ kind: 'event', name: 'ready', data: null });
    await settled();
    say({ kind: 'call', id: 1, name: 'act', params: { act: 'download', at: [`${year ?? 0} SR`] } });
    await settled();
    assert.deepEqual(offered, [[report]], told.join());
    close();
  });
});
