import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { columns, columnsSchemaVersion } from '../../../src/api/schemas/fields.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { failure, failureKind } from './clients.ts';
import { clientWith, endDemos, readingNames, startDemo, unknownType } from './demos.ts';

afterEach(endDemos);

for (const readings of readingNames) {
  describe(`a report of the ${readings} demo`, () => {
    it('is the one that the service holds, field by field, with all 50 columns as strings', async () => {
      const { demo, client } = await startDemo({ readings });
      const truth = demo.control.entitled();
      const samples = [
        truth.find(({ has_file }) => has_file),
        truth.find(({ has_file }) => !has_file),
        truth.find(({ report_lang }) => report_lang.length > 2),
        truth.find(({ report_fcyear }) => typeof report_fcyear === 'string'),
        truth.find(({ report_year }) => report_year === 0),
        truth.find(({ report_type }) => report_type === unknownType),
      ];
      for (const sample of samples) {
        assert.ok(sample);
        const { metadata, other, ...fields } = await client.report(sample.report_id);
        const { metadata: sent, ...rest } = await demo.control.wire(sample.report_id);
        // What a sparse service leaves out is unknown.
        const unsaid = readings === 'terse' ? Object.keys(fields).map((name) => [name, null]) : [];
        assert.deepEqual(fields, { ...Object.fromEntries(unsaid), ...rest });
        assert.deepEqual(metadata, sent);
        assert.deepEqual(other, {});
        assert.equal(Object.keys(metadata).length, 50);
        assert.ok(Object.values(metadata).every((value) => typeof value === 'string'));
      }
    });

    it('is found under an id that a merge retired', async () => {
      const { demo, client } = await startDemo({ readings });
      const [retired, survivor] = demo.control.entitled();
      assert.ok(retired && survivor);
      demo.control.catalog.merge(retired.report_id, survivor.report_id);
      const report = await client.report(retired.report_id);
      assert.deepEqual([report.report_id, report.requested_legacy_report_id], [survivor.report_id, null]);
    });

    it('is found under an id that a rename retired, and says so', async () => {
      const { demo, client } = await startDemo({ readings });
      const [renamed] = demo.control.entitled();
      assert.ok(renamed);
      const [former, key] = [renamed.report_id, `${renamed.report_key}_9`];
      demo.control.catalog.renameReport(former, key, 9_999_999);
      const report = await client.report(former);
      assert.deepEqual(
        [report.report_id, report.requested_legacy_report_id, report.canonical_report_id, report.canonical_report_key],
        [9_999_999, former, 9_999_999, key],
      );
    });

    it('is out of reach outside the license, and told apart from one that is not there', async () => {
      const { demo, client, outside } = await startDemo({ readings });
      // A service may hide what it holds: then both are 404.
      const kind = readings === 'terse' ? 'not-found' : 'forbidden';
      const { report_id } = outside.report;
      for (const call of [client.report(report_id), client.downloadLink(report_id)]) {
        const { problem } = await failure(call);
        assert.equal(problem.kind, kind);
        assert.match(problem.cause, /license/);
        assert.equal(problem.requestId, `demo-${String(demo.control.log.entries.length).padStart(6, '0')}`);
      }
      const missing = await failure(client.report(77));
      assert.equal(missing.problem.kind, 'not-found');
      assert.match(missing.message, /withdrawn/);
      assert.equal(demo.control.log.entries.length, 3);
    });

    it('comes as a file through a link: the bytes of the published hash, and no key on the way', async () => {
      const { demo, client } = await startDemo({ readings, clock: systemClock }, { clock: systemClock });
      // Of a type that nobody knows: it is a report like any other.
      const sample = demo.control.entitled().find(({ report_type }) => report_type === unknownType);
      assert.ok(sample);
      const { content_sha256 } = await client.report(sample.report_id);
      const hashes = new Set<string>();
      for (let attempt = 0; attempt < 2; attempt++) {
        const link = await client.downloadLink(sample.report_id);
        assert.equal(link.report_id, sample.report_id);
        const hash = createHash('sha256');
        for await (const chunk of (await client.openLink(link)).body) hash.update(chunk);
        hashes.add(hash.digest('hex'));
      }
      assert.deepEqual([...hashes], [content_sha256]);
      const fetched = demo.control.log.entries.filter(({ path }) => path.startsWith('/files/'));
      assert.equal(fetched.length, 2);
      assert.ok(fetched.every(({ keySent, method, status }) => !keySent && method === 'GET' && status === 200));
      assert.ok(fetched.every(({ headers }) => headers.cookie === undefined && headers.referer === undefined));
      assert.deepEqual(demo.control.log.violations, []);
      assert.equal(demo.control.usage().downloads, 2);
    });

    it('has no link without a PDF, with a link that expired, or with a key that may not', async () => {
      const faults = [
        { match: { route: 'GET /reports/{report_id}/download', nth: 2 }, action: { kind: 'expired-link' } },
      ] as const;
      const { demo, client } = await startDemo({ readings, faults, clock: systemClock }, { clock: systemClock });
      const truth = demo.control.entitled();
      const bare = truth.find(({ has_file }) => !has_file)?.report_id ?? 0;
      const sample = truth.find(({ has_file }) => has_file)?.report_id ?? 0;
      assert.equal(await failureKind(client.downloadLink(bare)), 'not-found');
      const { problem } = await failure(client.openLink(await client.downloadLink(sample)));
      assert.deepEqual([problem.kind, problem.status], ['temporary', 403]);
      const narrow = clientWith(demo, demo.keys.withoutFiles, { clock: systemClock });
      assert.equal(await failureKind(narrow.downloadLink(sample)), 'forbidden');
      assert.equal((await narrow.report(sample)).report_id, sample);
    });
  });

  describe(`what the ${readings} demo tells about itself`, () => {
    it('is health without a key, the license, the usage, the dictionary, the frameworks and the field guide', async () => {
      const { demo, client } = await startDemo({ readings });
      assert.equal((await client.health()).ok, true);
      const entitlements = await client.entitlements();
      assert.deepEqual(
        [entitlements.client_name, entitlements.full_access, entitlements.fcyear_end, entitlements.report_types],
        ['Demo Research Desk', true, null, null],
      );
      const core = await clientWith(demo, demo.keys.core).entitlements();
      assert.deepEqual([core.full_access, core.report_types], [false, ['SR', 'IR', 'AR2', 'AR1']]);
      const years = await clientWith(demo, demo.keys.years).entitlements();
      assert.deepEqual([years.fcyear_start, years.fcyear_end], [2019, 2021]);

      const { version, fields } = await client.schema();
      assert.deepEqual(
        fields.map(({ column, apiField }) => [column, apiField]),
        columns.map(({ name, apiField }) => [name, apiField]),
      );
      assert.ok(fields.every(({ meaning, type }) => meaning && type));
      assert.equal(version, readings === 'terse' ? null : columnsSchemaVersion);
      const guide = await client.fieldGuide();
      assert.equal(Buffer.from(guide.bytes?.subarray(0, 5) ?? []).toString(), '%PDF-');
      const again = await client.fieldGuide({ etag: guide.etag ?? undefined });
      assert.deepEqual(again, { bytes: null, etag: guide.etag });
      assert.equal((await client.frameworks()).length, 12);

      const usage = await client.usage();
      assert.deepEqual([usage.requests, usage.downloads], [demo.control.usage().requests, 0]);
      const health = demo.control.log.to('GET /health');
      assert.deepEqual(
        health.map(({ keySent }) => keySent),
        [false],
      );
      assert.ok(
        demo.control.log.entries.every(({ headers }) => headers['user-agent'] === 'report-library-vscode/0.1.0'),
      );
    });
  });
}
