import assert from 'node:assert/strict';
import type { Services } from '../../../../src/app/session.ts';
import { Emitter } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { LibraryFiles } from '../../../../src/editor/common/libraryFiles.ts';
import type { Log } from '../../../../src/editor/common/log.ts';
import { subjectsOf } from '../../../../src/editor/favorites/commands.ts';
import { ConnectionFavorites } from '../../../../src/editor/favorites/connectionFavorites.ts';
import { type Favorite, joined } from '../../../../src/favorites/favorites.ts';
import { type LibraryChange, noChange } from '../../../../src/library/libraryChange.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';
import { bring, following, openInMemory } from '../../library/support/stores.ts';
import { report } from '../../library/support/wireReports.ts';

describe('the favorites of the connection in use', () => {
  const home = temporaryFolder();
  const favoritesOf = async (services: Services) => {
    const log = silentLogger as unknown as Log;
    const files = new LibraryFiles(home.path);
    return new ConnectionFavorites(services, log, files, await files.openFavorites(log));
  };
  const [a, b] = [report(1), report(2)];
  const starred = ({ company_key, report_id, report_key }: typeof a): Favorite => ({
    company_key,
    report_id,
    report_key,
  });

  it('ask the service once where a withdrawn report went, and follow it there (RID-1)', async () => {
    const store = openInMemory();
    const generation = following(store);
    bring(store, [a, b]);
    const changes = new Emitter<LibraryChange>();
    const library = new Proxy(store, {
      get: (of, name) =>
        name === 'onDidChange'
          ? changes.event
          : name === 'syncRecord'
            ? async () => ({ phase: 'following' })
            : async (...args: unknown[]) => Reflect.apply(Reflect.get(of, name), of, args),
    });
    const key = new Secret('rlk_test_live_0123456789');
    const connection = { id: 'a', name: 'A', baseUrl: 'https://reports.example.com/api/v2', key, isDemo: false };
    const asked: number[] = [];
    const client = {
      async report(id: number) {
        asked.push(id);
        return { ...b, requested_legacy_report_id: id };
      },
    };
    const local = { library, connection, signal: new AbortController().signal };
    const services = {
      ready: async () => ({ kind: 'signedIn', connection }),
      library: async () => local,
      onDidChangeLibrary: (listener: (told: { local: unknown; change: LibraryChange }) => void) =>
        changes.event((change) => listener({ local, change })),
      call: async (work: (of: typeof client) => unknown) => work(client),
    } as unknown as Services;
    const favorites = await favoritesOf(services);
    await (await favorites.here()).change((items) => joined([...items, starred(a)]));
    assert.deepEqual((await favorites.read()).items, [starred(a)]);

    const { report_id, report_key, company_key, content_sha256 } = a;
    const gone = { change: 'withdrawn', report_id, report_key, company_key, content_sha256 } as const;
    const change = { ...gone, changed_at: null, report: null, other: {} };
    store.applyFeedPage({ changes: [change], quarantined: [], cursor: null, atEnd: true, generation });
    const told = new Promise<void>((resolve) => favorites.onDidChange(resolve));
    changes.fire({ ...noChange, reports: [report_id] });
    await told;
    const { items }: { items: readonly Favorite[] } = await favorites.read();
    assert.deepEqual(items, [starred(b)]);
    assert.deepEqual(asked, [report_id]);
    favorites.dispose();
    store.close();
  });

  it('are for a command those of the connection it began with, whichever is in use later', async () => {
    const key = new Secret('rlk_test_live_0123456789');
    const first = { id: 'a', name: 'A', baseUrl: 'https://reports.example.com/api/v2', key, isDemo: false };
    let connection = first;
    const library = { onDidChange: new Emitter<LibraryChange>().event, syncRecord: async () => ({ phase: 'loading' }) };
    const local = { library, connection, signal: new AbortController().signal };
    const services = {
      ready: async () => ({ kind: 'signedIn', connection }),
      library: async () => local,
      onDidChangeLibrary: new Emitter<never>().event,
    } as unknown as Services;
    const favorites = await favoritesOf(services);
    const here = await favorites.here();
    connection = { ...first, id: 'b', key: new Secret('rlk_test_live_9876543210') };
    await here.change((items) => joined([...items, starred(a)]));
    assert.deepEqual((await here.read()).items, [starred(a)]);
    assert.deepEqual((await favorites.read()).items, []);
    favorites.dispose();
  });
});

describe('what a command about favorites is given', () => {
  const library = (calls: string[]) => ({
    async summaries(ids: readonly number[]) {
      calls.push('summaries');
      return ids
        .filter((id) => id !== 7)
        .map((id) => ({ report_id: id, report_key: `K${id}`, company_key: 'A', title: null, state: 'listed' }));
    },
    async report(id: number) {
      calls.push('report');
      return { report: { report_id: 70 + id, report_key: 'S', company_key: 'B', report_title: 'Survivor' } };
    },
  });
  const given = (calls: string[], ids: readonly number[]) => subjectsOf(async () => library(calls) as never, [ids]);

  it('is read with few calls, however many are chosen; only what was merged is asked for alone', async () => {
    const calls: string[] = [];
    const subjects = await given(
      calls,
      Array.from({ length: 12_000 }, (_, index) => index + 1),
    );
    assert.equal(subjects.length, 12_000);
    assert.deepEqual(calls.toSorted(), ['report', 'summaries']);
    assert.deepEqual(subjects[6], { report_id: 77, report_key: 'S', company_key: 'B', words: 'Survivor' });
    assert.deepEqual(subjects[7], { report_id: 8, report_key: 'K8', company_key: 'A', words: 'K8' });
  });
});
