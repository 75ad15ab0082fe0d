import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import type { PendingBatches } from '../../../../src/downloads/pendingBatches.ts';
import { WorkspaceDownloads, type WorkspaceOptions } from '../../../../src/editor/downloads/workspaceDownloads.ts';
import { makePanelPorts } from '../../../../src/editor/panels/ports.ts';
import { ReportPanel } from '../../../../src/editor/panels/reportPanel.ts';
import { noFavorites } from '../../../../src/favorites/favorites.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';
import { sampleReport } from '../../../support/panels/reports.ts';
import { FakeSource, pdf, pdfsRead, sha256, temporaryFolder } from '../../downloads/fixtures.ts';

describe('Download in the panel of a report', () => {
  const home = temporaryFolder();
  const read = pdfsRead();
  const { withProgress } = vscode.window;
  afterEach(() => void Object.assign(vscode.window, { withProgress }));

  it('reads no byte of the PDF again, whatever the panel then looks at', async () => {
    // Nobody cancels.
    const patient = (_: unknown, work: (...given: unknown[]) => unknown) =>
      work({ report() {} }, { onCancellationRequested: () => ({ dispose() {} }) });
    Object.assign(vscode.window, { withProgress: patient });

    const report = { ...sampleReport(), report_id: 7, has_file: true, content_sha256: sha256(pdf(7)) };
    const source = new FakeSource().serve(7, pdf(7)).tell(7, report);
    const changed = new Emitter<readonly number[]>();
    const never = new Emitter<never>();
    const library = { report: async () => ({ report, state: 'listed' }), reports: async () => ({ items: [] }) };
    const services = {
      session: {},
      call: (work: (client: unknown) => unknown) => work(source),
      library: async () => ({ library: { ...library, withSignal: () => library } }),
      onDidChangeLibrary: never.event,
      onDidChangeSession: never.event,
    };
    const options = {
      services,
      state: { get: () => undefined, update: async () => {} },
      log: silentLogger,
      globalFolder: vscode.Uri.file(home.path),
      machine: home.path,
      upstream: async () => new Map([[7, { sha256: sha256(pdf(7)), withdrawn: false }]]),
    };
    const pending = { begin: async () => ({ done() {}, end: async () => {} }) };
    const downloads = new WorkspaceDownloads(
      options as unknown as WorkspaceOptions,
      pending as unknown as PendingBatches,
    );
    const ports = makePanelPorts({
      services,
      log: silentLogger,
      favorites: { read: async () => noFavorites, onDidChange: never.event },
      reports: { onDidChangeTreeData: never.event },
      downloads: {
        downloads: async () => downloads,
        onDidChange: changed.event,
        noteChanged: (ids: readonly number[]) => changed.fire(ids),
      },
    } as unknown as Parameters<typeof makePanelPorts>[0]);
    const page = openPanel();
    page.panel.store.add(ports.onDidChange(page.change));
    const asked: Promise<unknown>[] = [];
    const noted =
      <A extends unknown[], R>(ask: (...given: A) => Promise<R>) =>
      (...given: A) => {
        const answer = ask(...given);
        asked.push(answer);
        return answer;
      };
    const localReport = noted(ports.localReport);
    const downloadReport = noted(ports.downloadReport);
    /** One answer makes the panel ask for more. */
    const allAnswered = async () => {
      for (let answered = -1; answered < asked.length; ) {
        answered = asked.length;
        await Promise.all(asked);
        await settled();
      }
    };
    new ReportPanel(page.panel, { ...ports, localReport, downloadReport }, 7);
    page.say({ kind: 'event', name: 'ready', data: null });
    await allAnswered();
    page.say({ kind: 'call', id: 1, name: 'download', params: null });
    await allAnswered();
    assert.ok(asked.length >= 5, 'a download, and the panel looks before it, at its change twice, and at its end');
    assert.equal(page.last('file')?.kind, 'downloaded');
    assert.deepEqual(read, []);
    page.close();
  });
});
