import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger.ts';
import type { DownloadResult, DownloadStatus } from '../../../../src/downloads/ports.ts';
import type { QueueJob } from '../../../../src/downloads/queue.ts';
import { commandsOf, type OpenedDownloads } from '../../../../src/editor/downloads/commands.ts';
import { tellDownloaded } from '../../../../src/editor/downloads/downloadCommand.ts';
import { DownloadsTree } from '../../../../src/editor/downloads/tree.ts';
import type { FailedDownload } from '../../../../src/editor/downloads/workspaceDownloads.ts';
import { FakeClock, report } from '../../downloads/fixtures.ts';

describe('downloads that failed', () => {
  const windowBefore = { ...vscode.window };
  afterEach(() => void Object.assign(vscode.window, windowBefore));

  const jobOf = (report_id: number): QueueJob => {
    const target = { root: '/work', path: `reports/${report_id}.pdf`, heldSha256: null };
    return { report: report({ report_id }), target, askedId: report_id };
  };
  const resultOf = ({ report }: QueueJob, status: DownloadStatus): DownloadResult => {
    return { report_id: report.report_id, status, verified: true, links: 1, report, reason: 'No network.' };
  };

  const drawn = () => new Promise<void>((resolve) => setImmediate(resolve));

  /** The downloads of a window in which 1 came and 2 and 3 failed; what is asked again succeeds. */
  function setUp() {
    const tree = new DownloadsTree(new FakeClock(), {});
    const jobs = [1, 2, 3].map(jobOf);
    const results = jobs.map((job, index) => resultOf(job, index === 0 ? 'downloaded' : 'failed'));
    for (const [index, result] of results.entries()) {
      const job = jobs[index];
      if (job) tree.note({ job, state: 'done', result });
    }
    const retried: number[][] = [];
    const retry = async (failed: readonly FailedDownload[]) => {
      retried.push(failed.map(({ job }) => job.askedId));
      await drawn();
      for (const { job } of failed) tree.note({ job, state: 'done', result: resultOf(job, 'downloaded') });
      // The lock file is written before the command hears of the end.
      await drawn();
      return failed.map(({ job }) => resultOf(job, 'downloaded'));
    };
    const opened = {
      ...{ tree, log: silentLogger, services: {}, noteChanged() {} },
      downloads: { retry, cancel() {} },
    } as unknown as OpenedDownloads;
    return { tree, results, opened, retried };
  }

  it('are all tried again from their heading', async () => {
    const { tree, opened, retried } = setUp();
    const [heading] = tree.getChildren();
    assert.equal(heading && tree.getTreeItem(heading).contextValue, 'downloadGroup.failed');
    await commandsOf(opened).retryDownload(heading);
    assert.deepEqual(
      retried.map((ids) => ids.toSorted()),
      [[2, 3]],
    );
    assert.deepEqual([tree.entries('failed').length, tree.entries('done').length], [0, 3]);
  });

  it('leave the rows alone after their end', async () => {
    const { tree, opened, retried } = setUp();
    await drawn();
    let redrawn = 0;
    tree.onDidChangeTreeData(() => redrawn++);
    const [failed] = tree.entries('failed');
    await commandsOf(opened).retryDownload(failed);
    await drawn();
    // Once as it waits, once as it ends: a third time would take the rows from the menu of the next one.
    assert.equal(redrawn, 2);
    assert.equal(retried.length, 1);
  });

  it('are tried again by the first button of what tells of them', async () => {
    const { tree, opened, results } = setUp();
    const again: unknown[] = [];
    const told = { ...opened, retry: async (entries: unknown) => void again.push(entries) };
    const showWarningMessage = async (_text: string, ...buttons: string[]) => buttons[0];
    Object.assign(vscode.window, { showWarningMessage });
    const root = { uri: vscode.Uri.file('/work') };
    await tellDownloaded(told, { root, results });
    assert.deepEqual(again, [tree.entries('failed')]);
    // What has no row could be meant to have the newest bytes or those of the lock: nobody may guess.
    tree.clearFinished();
    await tellDownloaded(told, { root, results });
    assert.equal(again.length, 1);
  });
});
