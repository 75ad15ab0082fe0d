import assert from 'node:assert/strict';
import { silentLogger } from '../../src/base/logger.ts';
import { libraryError } from '../../src/library/libraryError.ts';
import { makePanelPorts } from '../../src/ports.ts';
import { sampleReport } from '../support/panels/reports.ts';

describe('a report that the library can’t keep', () => {
  it('is shown all the same', async () => {
    const report = sampleReport();
    const library = {
      withSignal: () => library,
      report: async () => null,
      applyReport: async () => Promise.reject(libraryError('no-sqlite')),
    };
    const services = {
      library: async () => ({ library }),
      call: async (work: (client: unknown) => unknown) => work({ report: async () => report }),
    };
    const given = [{}, services, {}, silentLogger, {}] as unknown as Parameters<typeof makePanelPorts>;
    const { readReport } = makePanelPorts(...given);
    assert.equal(await readReport(report.report_id, new AbortController().signal), report);
  });
});
