import assert from 'node:assert/strict';
import type { App } from '../../../../src/app/app.ts';
import type { Services } from '../../../../src/app/session.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { upstream } from '../../../../src/editor/common/upstream.ts';
import { loadCompanyEarly } from '../../../../src/editor/panels/companyPanel.ts';
import { panelContext } from '../../../../src/editor/panels/context.ts';
import { loadReport } from '../../../../src/editor/panels/reportPanel.ts';
import { libraryError } from '../../../../src/library/libraryError.ts';
import { blocksText } from '../../../../src/panels/asText.ts';
import { reportBlocks } from '../../../../src/panels/report.ts';
import { sampleReport } from '../../../support/panels/reports.ts';

/** The panel's ports over a library and an engine that stand in for the real ones. */
function portsOver(library: object, engine: object, client: object = {}, downloads: object = {}) {
  const local = { library: { withSignal: () => library, ...library }, engine };
  const services = {
    library: async () => local,
    call: async (work: (client: unknown) => unknown) => work(client),
  };
  const parts = { services, downloads: { open: async () => downloads }, extension: {}, log: silentLogger };
  return panelContext(parts as unknown as App);
}

describe('a report that the library can’t keep', () => {
  const report = sampleReport();
  const client = { report: async () => report };
  const fails = () => Promise.reject(libraryError('disk-full'));
  for (const [name, library] of Object.entries({
    'cannot be written': { report: async () => null, applyReport: fails },
    'cannot be opened': { report: fails, applyReport: fails },
  })) {
    it(`is shown all the same where the library ${name}, with why`, async () => {
      const told = new Set<string>();
      const ports = portsOver(library, {}, client);
      const read = await loadReport(ports, report.report_id, new AbortController().signal, (why) => told.add(why));
      assert.equal(read, report);
      assert.deepEqual([...told], [libraryError('disk-full').message]);
      const file = { kind: 'available' } as const;
      const blocks = reportBlocks({ report, withdrawn: false, file, notKept: [...told][0] }, 'en');
      assert.match(blocksText(blocks), /isn’t on this computer\. The disk is full/);
    });
  }

  const broken = () => Promise.reject(new Error('a fault of ours'));

  it('is shown with its PDF where the library can’t be read', async () => {
    const row = { path: 'a.pdf', sha256: 'ab'.repeat(32), bytes: 3 };
    const pdf = { path: 'reports/a.pdf', row };
    const downloads = { find: async () => pdf, check: async () => ({ state: 'matches-lock', row }) };
    const { localReport } = portsOver({ report: fails }, {}, client, downloads);
    const { withdrawn, file } = await localReport(report.report_id, new AbortController().signal);
    assert.deepEqual([withdrawn, file?.path], [false, 'reports/a.pdf']);
    await assert.rejects(portsOver({ report: broken }, {}, client, downloads).localReport(report.report_id), /fault/);
  });

  it('keeps no PDF from being opened, verified or restored', async () => {
    const session = { kind: 'signedIn', connection: {} };
    const over = (library: () => Promise<unknown>) => ({ session, library }) as unknown as Services;
    const unreadable = () => Promise.reject(libraryError('unreadable'));
    for (const library of [unreadable, async () => ({ library: { reports: unreadable, report: unreadable } })]) {
      assert.deepEqual([...(await upstream(over(library), [1]))], []);
    }
    await assert.rejects(upstream(over(broken), [1]), /fault/);
  });

  it('is not read when the panel is closed meanwhile', async () => {
    const closed = new DOMException('closed', 'AbortError');
    const ports = portsOver({ report: () => Promise.reject(closed) }, {}, client);
    await assert.rejects(loadReport(ports, report.report_id, new AbortController().signal), /closed/);
  });
});

describe('a company that can’t be loaded before the first load has come to it', () => {
  const offline = () => Promise.reject(new Error('offline'));
  const loading = { syncRecord: async () => ({ phase: 'loading' }) };

  it('is shown as far as it is held', async () => {
    await loadCompanyEarly(portsOver({ ...loading, company: async () => ({}) }, { loadCompany: offline }), 'XTST_A');
  });

  it('fails with the cause where nothing is held of it', async () => {
    const ports = portsOver({ ...loading, company: async () => null }, { loadCompany: offline });
    await assert.rejects(loadCompanyEarly(ports, 'XTST_A'), /offline/);
  });
});

describe('the PDFs that panels take for downloaded', () => {
  it('are those that are there', async () => {
    const there = { report_id: 1, sha256: 'ab'.repeat(32) };
    const downloads = { ownPdfs: async () => [{ row: there }] };
    const files = await portsOver({}, {}, {}, downloads).localFiles();
    assert.deepEqual([...files], [[1, 'ab'.repeat(32)]]);
  });

  it('are looked for alone where a panel names its reports', async () => {
    const rows = [1, 2, 3].map((report_id) => ({ row: { report_id, sha256: 'ab'.repeat(32) } }));
    const downloads = { ownPdfs: async (isWanted: (one: unknown) => boolean) => rows.filter(isWanted) };
    const files = await portsOver({}, {}, {}, downloads).localFiles(new Set([2]));
    assert.deepEqual([...files.keys()], [2]);
  });
});

describe('what is known of the reports of a lock', () => {
  it('is asked for no further after a cancel', async () => {
    const abort = new AbortController();
    let asked = 0;
    const report = async () => {
      if (++asked === 3) abort.abort('stop');
      return null;
    };
    const library = { reports: async () => ({ items: [] }), report, formerKeys: async () => [] };
    const services = { session: { connection: {} }, library: async () => ({ library }) };
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);
    const asking = upstream(services as unknown as Parameters<typeof upstream>[0], ids, abort.signal);
    await assert.rejects(asking, (reason) => reason === 'stop');
    assert.equal(asked, 3);
  });
});
