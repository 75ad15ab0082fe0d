import assert from 'node:assert/strict';
import { silentLogger } from '../../../../src/base/logger.ts';
import { ReportPanel } from '../../../../src/editor/panels/reportPanel.ts';
import { noFavorites } from '../../../../src/favorites/favorites.ts';
import type { LocalReport } from '../../../../src/panels/pdfState.ts';
import { type BlocksView, piecesText } from '../../../../src/protocol/blocks.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';
import { sampleReport } from '../../../support/panels/reports.ts';

type Ports = ConstructorParameters<typeof ReportPanel>[1];

const report = sampleReport();

/** What the panel asks for, with downloads that fail. */
function portsOf(localReport: () => Promise<LocalReport>): Ports {
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

/** The panel once it shows a report. */
async function opened(ports: Ports) {
  const page = openPanel();
  new ReportPanel(page.panel, ports, report.report_id);
  const say = async (message: Parameters<typeof page.say>[0]) => {
    page.say(message);
    await settled();
  };
  const filesChange = async () => {
    page.change({ kind: 'files', reportIds: [report.report_id] });
    await settled();
  };
  const download = () => say({ kind: 'call', id: 1, name: 'act', params: { act: 'download' } });
  await say({ kind: 'event', name: 'ready', data: null });
  return { ...page, download, filesChange };
}

describe('the panel of a report', () => {
  it('shows the report without other years where those can’t be looked up', async () => {
    const library = {
      report: async () => ({ report }),
      reports: () => Promise.reject(new Error('The disk is gone.')),
    };
    const services = { library: async () => ({ library: { withSignal: () => library } }) };
    const ports = portsOf(async () => ({ withdrawn: false, file: null }));
    const { last, close } = await opened({ ...ports, services } as unknown as Ports);
    assert.match(JSON.stringify(last('show')), /"nav":\[\]/);
    assert.equal(last('problem'), undefined);
    close();
  });

  it('no longer says that a download failed once the PDF came by another way', async () => {
    let local: LocalReport = { withdrawn: false, file: null };
    const { change, download, filesChange, last, close } = await opened(portsOf(async () => local));
    await download();
    assert.match(line(last), failed);
    change({ kind: 'session' });
    await filesChange();
    assert.match(line(last), /^PDF available/, 'another connection may fetch it');
    await download();
    assert.match(line(last), failed);
    // Something else about the files of the report does not make it good.
    await filesChange();
    assert.match(line(last), failed);
    const sha256 = report.content_sha256 ?? '';
    local = { withdrawn: false, file: { path: 'a.pdf', verified: true, sha256, edited: false } };
    await filesChange();
    assert.match(line(last), / a\.pdf$/);
    close();
  });

  it('goes on saying that an update failed while only the PDF from before is there', async () => {
    const old = { path: 'a.pdf', verified: false, sha256: '0'.repeat(64), edited: false };
    let local: LocalReport = { withdrawn: false, file: old };
    const { download, filesChange, last, close } = await opened(portsOf(async () => local));
    await download();
    await filesChange();
    assert.match(line(last), failed);
    local = { withdrawn: false, file: { ...old, verified: true, sha256: report.content_sha256 ?? '' } };
    await filesChange();
    assert.match(line(last), / a\.pdf$/);
    close();
  });
});
