import assert from 'node:assert/strict';
import type { Report } from '../../../../src/api/schemas/report.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { ReportPanel } from '../../../../src/editor/panels/reportPanel.ts';
import { noFavorites } from '../../../../src/favorites/favorites.ts';
import type { LocalReport } from '../../../../src/panels/pdfState.ts';
import { type BlocksView, piecesText } from '../../../../src/protocol/blocks.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';
import { sampleReport } from '../../../support/panels/reports.ts';

type Ports = ConstructorParameters<typeof ReportPanel>[1];

/** What the panel asks for, with downloads that fail. */
function portsOf(report: Report, localReport: () => Promise<LocalReport>): Ports {
  const library = { report: async () => ({ report }), reports: async () => ({ items: [] }) };
  const services = { library: async () => ({ library: { withSignal: () => library } }) };
  return {
    ...{ services, log: silentLogger, localReport, revealDownload: async () => {} },
    downloadReport: async () => ({ status: 'failed', reason: 'The disk was full.' }),
    favorites: { read: async () => noFavorites },
  } as unknown as Ports;
}

const failed = /^The disk was full\.$/;

/** What the panel says of the PDF. */
function line(last: ReturnType<typeof openPanel>['last']): string {
  const { blocks } = last('show') as unknown as BlocksView;
  const found = blocks.find((block) => block.kind === 'line' && block.look === 'file-state');
  return found?.kind === 'line' ? piecesText(found.pieces) : '';
}

describe('the panel of a report', () => {
  it('shows the report without other years where those can’t be looked up', async () => {
    const report = sampleReport();
    const ports = portsOf(report, async () => ({ withdrawn: false, file: null }));
    const library = {
      report: async () => ({ report }),
      reports: () => Promise.reject(new Error('The disk is gone.')),
    };
    const services = { library: async () => ({ library: { withSignal: () => library } }) };
    const { panel, say, last, close } = openPanel();
    new ReportPanel(panel, { ...ports, services } as unknown as Ports, report.report_id);
    say({ kind: 'event', name: 'ready', data: null });
    await settled();
    assert.match(JSON.stringify(last('show')), /"nav":\[\]/);
    assert.equal(last('problem'), undefined);
    close();
  });

  it('no longer says that a download failed once the PDF came by another way', async () => {
    const report = sampleReport();
    let local: LocalReport = { withdrawn: false, file: null };
    const ports = portsOf(report, async () => local);
    const { panel, say, change, last, close } = openPanel();
    new ReportPanel(panel, ports, report.report_id);
    say({ kind: 'event', name: 'ready', data: null });
    await settled();
    say({ kind: 'call', id: 1, name: 'act', params: { act: 'download' } });
    await settled();
    assert.match(line(last), failed);
    change({ kind: 'session' });
    change({ kind: 'files', reportIds: [report.report_id] });
    await settled();
    assert.match(line(last), /^PDF available/, 'another connection may fetch it');
    say({ kind: 'call', id: 2, name: 'act', params: { act: 'download' } });
    await settled();
    assert.match(line(last), failed);
    // Something else about the files of the report does not make it good.
    change({ kind: 'files', reportIds: [report.report_id] });
    await settled();
    assert.match(line(last), failed);
    const sha256 = report.content_sha256 ?? '';
    local = { withdrawn: false, file: { path: 'a.pdf', verified: true, sha256, edited: false } };
    change({ kind: 'files', reportIds: [report.report_id] });
    await settled();
    assert.match(line(last), / a\.pdf$/);
    close();
  });

  it('goes on saying that an update failed while only the PDF from before is there', async () => {
    const report = sampleReport();
    const old = { path: 'a.pdf', verified: false, sha256: '0'.repeat(64), edited: false };
    let local: LocalReport = { withdrawn: false, file: old };
    const { panel, say, change, last, close } = openPanel();
    new ReportPanel(
      panel,
      portsOf(report, async () => local),
      report.report_id,
    );
    say({ kind: 'event', name: 'ready', data: null });
    await settled();
    say({ kind: 'call', id: 1, name: 'act', params: { act: 'download' } });
    await settled();
    change({ kind: 'files', reportIds: [report.report_id] });
    await settled();
    assert.match(line(last), failed);
    local = { withdrawn: false, file: { ...old, verified: true, sha256: report.content_sha256 ?? '' } };
    change({ kind: 'files', reportIds: [report.report_id] });
    await settled();
    assert.match(line(last), / a\.pdf$/);
    close();
  });
});
