import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../../src/api/transport/errors.ts';
import { DownloadQueue, type QueueEvent, type QueueJob } from '../../../src/downloads/queue.ts';
import {
  apiError,
  body,
  FakeSource,
  FileHosts,
  filesBelow,
  pdf,
  pick,
  portsOf,
  runBatch,
  temporaryFolder,
} from './fixtures.ts';

describe('the queue of downloads', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();

  function jobs(count: number, source: FakeSource): QueueJob[] {
    return Array.from({ length: count }, (_, index) => {
      const report_id = index + 1;
      const target = { root: folder.path, path: `reports/${report_id}.pdf`, heldSha256: null };
      return { report: source.publish(report_id), target, askedId: report_id };
    });
  }

  it('downloads all, a few at a time, with one link each, and answers in order', async () => {
    const source = new FakeSource();
    const batch = jobs(30, source);
    const events: QueueEvent[] = [];
    const queue = new DownloadQueue(portsOf(source), 3);
    queue.onDidChange((event) => void events.push(event));
    const results = await runBatch(queue, batch);
    assert.deepEqual(
      pick(results, 'report_id', 'status'),
      batch.map(({ report }) => [report.report_id, 'downloaded']),
    );
    assert.ok(source.maxActive > 1 && source.maxActive <= 3, `${source.maxActive} at once`);
    assert.equal(source.links.length, 30);
    for (const job of batch) {
      const states = events.filter((event) => event.job === job).map(({ state }) => state);
      assert.deepEqual([states[0], states[1], states.at(-1)], ['waiting', 'active', 'done']);
    }
  });

  it('asks for no link while the host of the files is to be left alone, whichever job was told so', async () => {
    const hour = 3_600_000;
    const silence = (retryAfter: number) =>
      new ApiError({ kind: 'rate-limited', status: 429, cause: 'Asked too often.', nextStep: 'Wait.', retryAfter });
    for (const [wait, links, ended] of [
      [hour, 12, 'downloaded'],
      [25 * hour, 2, 'failed'],
    ] as const) {
      const source = new FakeSource();
      const batch = jobs(8, source);
      // Two ask first, of the four that may get ready first.
      for (const { report } of batch.slice(0, 4)) source.serve(report.report_id, silence(wait), pdf(report.report_id));
      const ports = portsOf(source);
      source.hosts = new FileHosts(ports.clock);
      const began = ports.clock.now();
      const results = await runBatch(new DownloadQueue(ports, 2), batch);
      assert.deepEqual([...new Set(pick(results, 'status'))], [ended]);
      assert.ok(source.links.length <= links, `${source.links.length} links`);
      assert.ok(ended === 'failed' || ports.clock.now() - began >= hour);
      await rm(join(folder.path, 'reports'), { recursive: true, force: true });
    }
  });

  it('asks for no link while the one host of a report is to be left alone, though another one answers', async () => {
    const retryAfter = 3_600_000;
    const silence = new ApiError({ kind: 'rate-limited', cause: 'Asked too often.', nextStep: 'Wait.', retryAfter });
    const source = new FakeSource();
    const batch = jobs(1, source);
    source.serve(1, silence, pdf(1));
    const ports = portsOf(source);
    source.hosts = new FileHosts(ports.clock);
    source.hosts.answered('https://other.example');
    const began = ports.clock.now();
    const [result] = await runBatch(new DownloadQueue(ports), batch);
    assert.deepEqual([result?.status, result?.links], ['downloaded', 2]);
    assert.ok(ports.clock.now() - began >= retryAfter);
  });

  it('asks for a link only once a stream may start', async () => {
    const source = new FakeSource();
    const batch = jobs(6, source);
    for (const { report } of batch) source.serve(report.report_id, body([pdf(report.report_id), 'stall']));
    const abort = new AbortController();
    let active = 0;
    const results = await runBatch(new DownloadQueue(portsOf(source), 2), batch, {
      signal: abort.signal,
      onProgress(bytes) {
        if (bytes === 0) return;
        active++;
        if (active === 2) abort.abort();
      },
    });
    assert.ok(results.every(({ status }) => status === 'cancelled'));
    assert.equal(source.links.length, 2);
    assert.deepEqual(await filesBelow(folder.path), []);
  });

  it('cancels one job, running or waiting, and lets the others go on', async () => {
    const source = new FakeSource();
    const batch = jobs(4, source);
    source.serve(1, body([pdf(1), 'stall']));
    const queue = new DownloadQueue(portsOf(source), 1);
    queue.onDidChange((event) => {
      if (event.state !== 'active' || event.bytes === 0 || event.job !== batch[0]) return;
      for (const job of [batch[0], batch[2]]) if (job) queue.cancel(job);
    });
    const results = await runBatch(queue, batch);
    assert.deepEqual(pick(results, 'status'), ['cancelled', 'downloaded', 'cancelled', 'downloaded']);
    assert.deepEqual(source.links.toSorted(), [1, 2, 4]);
  });

  it('shares its turns over batches, and downloads one file once however often it is asked for', async () => {
    const source = new FakeSource();
    const batch = jobs(5, source);
    const queue = new DownloadQueue(portsOf(source), 2);
    const [one, two] = await Promise.all([runBatch(queue, batch), runBatch(queue, batch, { priority: 'background' })]);
    assert.equal(source.links.length, 5);
    assert.ok(source.maxActive <= 2);
    const statuses = batch.map((_, index) => [one[index]?.status, two[index]?.status].sort().join());
    assert.deepEqual(new Set(statuses), new Set(['downloaded,unchanged']));
  });

  it('stops asking once the key is refused or the disk is full', async () => {
    const source = new FakeSource();
    const batch = jobs(20, source);
    for (const { report } of batch)
      source.refuse(report.report_id, apiError('unauthorized', 401), apiError('unauthorized', 401));
    let asked = 0;
    const counting = {
      report: (id: number) => source.report(id),
      openLink: source.openLink.bind(source),
      downloadLink: (id: number) => {
        asked++;
        return source.downloadLink(id);
      },
    };
    const results = await runBatch(new DownloadQueue(portsOf(counting), 1), batch);
    assert.equal(asked, 1);
    assert.ok(results.every(({ status, cause }) => status === 'failed' && cause === 'unauthorized'));
    assert.deepEqual(
      pick(results, 'report_id'),
      batch.map(({ report }) => report.report_id),
    );
  });

  it('goes on when single links get no answer: only readings tell that the service is away', async () => {
    const source = new FakeSource();
    const batch = jobs(6, source);
    for (const id of [1, 2, 3, 4, 5]) source.refuse(id, apiError('network'));
    const results = await runBatch(new DownloadQueue(portsOf(source), 1), batch);
    assert.deepEqual(pick(results, 'status'), [...Array(5).fill('failed'), 'downloaded']);
  });

  it('goes on when one report fails or a listener does', async () => {
    const source = new FakeSource();
    const batch = jobs(4, source);
    source.refuse(2, apiError('forbidden', 403)).serve(3, new Error('broken'));
    const queue = new DownloadQueue(portsOf(source));
    queue.onDidChange(() => {
      throw new Error('listener');
    });
    const results = await runBatch(queue, batch);
    assert.deepEqual(pick(results, 'status'), ['downloaded', 'not-entitled', 'failed', 'downloaded']);
    assert.deepEqual(source.links.toSorted(), [1, 3, 3, 3, 4]);
  });
});
