import assert from 'node:assert/strict';
import type { Client } from '../../../src/api/client.ts';
import type { ApiError, ProblemKind } from '../../../src/api/transport/errors.ts';
import { Secret } from '../../../src/base/secret.ts';
import { failure } from './clients.ts';
import { clientWith, endDemos, everything, firstPage, readingNames, startDemo } from './demos.ts';

afterEach(endDemos);

/** Every endpoint that needs a key. The report must be one with a file. */
function calls(client: Client, reportId: number): Promise<unknown>[] {
  return [
    client.entitlements(),
    everything(client.watchlist()),
    client.resolve([{ list: 'names', value: 'x' }]),
    firstPage(client.reports()),
    firstPage(client.changes({ since: '2020-01-01T00:00:00Z' })),
    client.lookup(['x']),
    client.report(reportId),
    client.downloadLink(reportId),
    client.schema(),
    client.fieldGuide(),
    client.frameworks(),
    client.usage(),
  ];
}

for (const readings of readingNames) {
  describe(`refusals of the ${readings} demo`, () => {
    it('401: a mistyped, expired or revoked key is no key, at every endpoint, and none is asked twice', async () => {
      const { demo } = await startDemo({ readings });
      const mistyped = new Secret(`${demo.key.reveal()}x`);
      demo.control.revokeKey('sandbox');
      for (const key of [mistyped, demo.keys.expired, demo.keys.sandbox]) {
        demo.control.log.clear();
        const client = clientWith(demo, key);
        for (const { problem } of await Promise.all(calls(client, 1).map(failure))) {
          assert.deepEqual([problem.kind, problem.status], ['unauthorized', 401]);
          assert.match(problem.nextStep, /Sign in/);
        }
        assert.equal(demo.control.log.entries.length, 12);
        assert.ok((await client.health()).ok);
      }
    });

    it('401: a key that expires while it is used', async () => {
      const { demo } = await startDemo({ readings });
      const client = clientWith(demo, demo.control.issueKey({ label: 'short', expiresIn: 60_000 }));
      assert.ok((await client.usage()).requests);
      demo.control.advance(60_001);
      assert.equal((await failure(client.usage())).problem.kind, 'unauthorized');
    });

    it('401: a call without any key', async () => {
      const { demo } = await startDemo({ readings });
      const client = clientWith(demo, demo.key, { key: null });
      assert.equal((await failure(client.usage())).problem.kind, 'unauthorized');
      assert.ok((await client.health()).ok);
      assert.ok(demo.control.log.entries.every(({ keySent }) => !keySent));
    });

    it('422: names the fields that were refused, whatever shape they come in', async () => {
      const { client } = await startDemo({ readings });
      const { problem } = await failure(
        everything(client.reports({ fcyear: [19], language: 'english', framework: ['none'] })),
      );
      assert.deepEqual([problem.kind, problem.status], ['invalid', 422]);
      // Where an entry is one sentence, the name of the field is in it.
      const said = problem.fields?.map(({ field, message }) => `${field}: ${message}`.replace(/^: /, '')) ?? [];
      const fields = said.map((text) => text.split(': ')[0]?.replace('query.', '')).toSorted();
      assert.deepEqual(fields, ['fcyear', 'framework', 'language']);
      assert.ok(said.every((text) => text.length > 20));
      const cursor = await failure(firstPage(client.changes({ cursor: 'nonsense' })));
      assert.deepEqual([cursor.problem.kind, cursor.problem.status], ['invalid', 400]);
    });

    it('pages of the edge: the status counts, none of the page is shown', async () => {
      const outcomes: readonly (readonly [status: number, kind: ProblemKind, requests: number])[] = [
        [403, 'edge-page', 1],
        [404, 'edge-page', 1],
        [429, 'rate-limited', 5],
        [502, 'temporary', 5],
        [503, 'temporary', 5],
        [200, 'edge-page', 1],
      ];
      for (const [status, kind, requests] of outcomes) {
        const { demo, client } = await startDemo({ readings, faults: [{ action: { kind: 'html', status } }] });
        const error = await failure(client.entitlements());
        assert.deepEqual([error.problem.kind, demo.control.log.entries.length], [kind, requests], String(status));
        assert.doesNotMatch(shown(error), /<h1|DOCTYPE|Request blocked/);
      }
    });

    it('redirects: none is followed, whoever sends it', async () => {
      const { demo: elsewhere } = await startDemo({ readings });
      for (const status of [301, 302, 303, 307, 308] as const) {
        const location = `${elsewhere.baseUrl}/entitlements`;
        const { demo, client } = await startDemo({
          readings,
          faults: [{ action: { kind: 'redirect', location, status } }],
        });
        const errors = await Promise.all(calls(client, demo.control.entitled()[0]?.report_id ?? 0).map(failure));
        for (const { problem } of errors) assert.equal(problem.status, status);
      }
      assert.equal(elsewhere.control.log.entries.length, 0);
    });
  });
}

function shown(error: ApiError): string {
  return `${error.message} ${error.stack} ${JSON.stringify(error)} ${JSON.stringify(error.problem)}`;
}
