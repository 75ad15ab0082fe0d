import assert from 'node:assert/strict';
import type { Client } from '../../../../src/api/client.ts';
import { type Connection, type LocalLibrary, Services } from '../../../../src/app/session.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import type { QueueJob } from '../../../../src/downloads/queue.ts';
import { boundSource } from '../../../../src/editor/downloads/boundSource.ts';
import { withoutWaits } from '../../../support/noWaits.ts';
import {
  apiError,
  FakeSource,
  FileHosts,
  filesBelow,
  pdf,
  reportOf,
  temporaryFolder,
} from '../../downloads/fixtures.ts';
import { windowAt } from './window.ts';

const ours: Connection = {
  id: 'ours',
  name: 'Ours',
  baseUrl: 'https://reports.example.com/api/v2',
  key: new Secret('rlk_test_live_0123456789'),
  isDemo: false,
};
const theirs: Connection = { ...ours, id: 'theirs', name: 'Theirs', baseUrl: 'https://other.example.com/api/v2' };

/** Two services that give report 1 to different companies, and what the library of each was given to keep. */
function twoServices() {
  const acme = reportOf(pdf(1), { report_id: 1 });
  const other = reportOf(pdf(2), { report_id: 1, report_key: 'XDEM_OTHER_2023_SR', company_key: 'XDEM_OTHER' });
  const sources: Record<string, FakeSource> = {
    ours: new FakeSource().tell(1, acme).serve(1, pdf(1)),
    theirs: new FakeSource().tell(1, other).serve(1, pdf(2)),
  };
  const kept: string[] = [];
  const services = new Services({
    logger: silentLogger,
    loadConnection: async () => ours,
    createClient: async ({ id }) => Object.assign(sources[id] ?? {}, { dispose() {} }) as unknown as Client,
    async openLibrary(connection) {
      const library = {
        onDidChange: () => ({ dispose() {} }),
        applyReport: async ({ company_key }: { company_key: string }) => kept.push(`${connection.id}: ${company_key}`),
      };
      return { connection, library, dispose: async () => {} } as unknown as LocalLibrary;
    },
  });
  return { services, acme, ours: sources.ours as FakeSource, theirs: sources.theirs as FakeSource, kept };
}

const another = /belongs to another connection\. Switch to it/;

describe('what a download reads', () => {
  withoutWaits();
  it('comes from the connection that it began with alone, and is kept in its library alone', async () => {
    const { services, ours: source, theirs: elsewhere, kept } = twoServices();
    await services.ready();
    const bound = boundSource(services, silentLogger);
    assert.equal((await bound.report(1)).company_key, 'XDEM_ACME');
    assert.equal(bound.connection, 'ours');
    const link = await bound.downloadLink(1);
    services.connect(theirs);
    await assert.rejects(bound.report(1), another);
    await assert.rejects(bound.downloadLink(1), another);
    await assert.rejects(bound.openLink(link), another);
    assert.deepEqual([elsewhere.reads, elsewhere.links, elsewhere.opened, source.opened], [[], [], [], []]);
    services.connect(null);
    await assert.rejects(bound.report(1), another);
    // The same connection again, with another name.
    services.connect({ ...ours, name: 'Renamed' });
    await bound.report(1);
    assert.deepEqual(kept, ['ours: XDEM_ACME', 'ours: XDEM_ACME']);
  });

  it('never reaches the library of a connection that took its place during the answer', async () => {
    const { services, ours: source, acme, kept } = twoServices();
    await services.ready();
    source.report = async () => {
      services.connect(theirs);
      return acme;
    };
    assert.equal(await boundSource(services, silentLogger).report(1), acme);
    assert.deepEqual(kept, []);
  });

  it('waits for no host that was told of to another connection', async () => {
    const { services, ours: source, theirs: elsewhere } = twoServices();
    await services.ready();
    source.hosts = new FileHosts(systemClock);
    source.hosts.refused('https://files.example', 315_360_000_000, 'Asked too often.');
    assert.match((await boundSource(services, silentLogger).silence?.())?.reason ?? '', /too often/);
    services.connect(theirs);
    assert.equal(await boundSource(services, silentLogger).silence?.(), null);
    assert.equal(elsewhere.hosts, undefined);
  });

  it('belongs to the connection of the first call while none is known yet', async () => {
    const { services } = twoServices();
    const bound = boundSource(services, silentLogger);
    await bound.report(1);
    services.connect(theirs);
    await assert.rejects(bound.report(1), another);
  });
});

describe('a batch that waits while the person switches the connection', () => {
  withoutWaits();
  const home = temporaryFolder();
  const remembered: string[] = [];
  const downloadsOf = (services: Services) => windowAt(home.path, services, { connections: remembered }).downloads;
  const pdfs = async () => (await filesBelow(home.path)).filter((name) => name.endsWith('.pdf'));

  it('ends in plain words and stores nothing of the other service', async () => {
    const { services, theirs: elsewhere, acme } = twoServices();
    await services.ready();
    const downloads = downloadsOf(services);
    const folder = downloads.folderAt(home.path)?.folder;
    assert.ok(folder);
    services.connect(theirs);
    for (const wanted of [{ id: 1 }, { id: 1, report: acme }]) {
      const [result] = await folder.download([wanted]);
      assert.equal(result?.status, 'failed');
      assert.equal(result?.cause, 'other-connection');
      assert.match(result?.reason ?? '', another);
    }
    assert.deepEqual([elsewhere.reads, elsewhere.links], [[], []]);
    assert.deepEqual(await pdfs(), []);
    assert.deepEqual(await folder.rows(), []);
    assert.deepEqual(remembered, ['ours', 'ours']);
    // What is begun now is of the connection in use now.
    const [begun] = (await downloads.folderAt(home.path)?.folder.download([{ id: 1 }])) ?? [];
    assert.equal(begun?.report.company_key, 'XDEM_OTHER');
  });

  it('is tried again with the connection that it began with alone', async () => {
    const { services, ours: source, theirs: elsewhere, acme } = twoServices();
    await services.ready();
    const downloads = downloadsOf(services);
    let failed: QueueJob | undefined;
    downloads.onDidChange((event) => {
      if (event.state === 'done' && event.result.status === 'failed') failed ??= event.job;
    });
    source.serve(1, apiError('temporary', 503));
    await downloads.folderAt(home.path)?.folder.download([{ id: 1, report: acme }]);
    assert.ok(failed);
    services.connect(theirs);
    const [again] = await downloads.retry([{ job: failed, report: acme }]);
    assert.match(again?.reason ?? '', another);
    assert.deepEqual([elsewhere.links, await pdfs()], [[], []]);
    services.connect(ours);
    source.serve(1, pdf(1));
    assert.equal((await downloads.retry([{ job: failed, report: acme }]))[0]?.verified, true);
  });

  it('reads its reports from the connection that was in use when they were asked for', async () => {
    const { services, theirs: elsewhere } = twoServices();
    await services.ready();
    const reading = downloadsOf(services).reports([1], new AbortController().signal, new Map());
    services.connect(theirs);
    const [read] = await reading;
    assert.equal(read?.status, 'rejected');
    assert.deepEqual(elsewhere.reads, []);
  });
});
