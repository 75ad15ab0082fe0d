import assert from 'node:assert/strict';
import type { Change } from '../../../src/api/schemas/report.ts';
import { backwards, twice } from '../../support/demo/items.ts';
import { endDemos, everyPage, everything, firstPage, idsOf, readingNames, startDemo } from './demos.ts';

const settled = 901_000;
const plenty = { requestsPerMinute: 100_000 };

afterEach(endDemos);

function inShort({ change, report_id, report }: Change): unknown[] {
  return [change, report_id, report?.report_id ?? null];
}

for (const readings of readingNames) {
  describe(`the change feed of the ${readings} demo`, () => {
    it('tells every report once for an early start, in order of time, and where to go on', async () => {
      const { demo, client } = await startDemo({ ...plenty, readings });
      for (const limit of [undefined, 25]) {
        const pages = await everyPage(client.changes({ since: '1990-01-01T00:00:00Z' }, { limit }));
        const changes = pages.flatMap(({ data }) => data);
        assert.deepEqual(
          idsOf(changes).sort((a, b) => a - b),
          idsOf(demo.control.entitled()),
        );
        const times = changes.map(({ changed_at }) => Date.parse(changed_at ?? ''));
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
        assert.ok(pages.every(({ next_cursor, quarantined }) => next_cursor && quarantined.length === 0));
      }
    });

    it('gives an empty page a cursor, and from it what came since: later than the settling delay', async () => {
      const { demo, client } = await startDemo({ ...plenty, readings });
      const since = new Date(demo.control.now()).toISOString();
      const empty = await firstPage(client.changes({ since }));
      assert.deepEqual([empty.data, empty.has_more], [[], false]);
      let cursor = empty.next_cursor ?? '';
      const [changed, gone, renewed] = demo.control.entitled().filter(({ has_file }) => has_file);
      assert.ok(changed && gone && renewed);
      const before = await client.report(changed.report_id);
      demo.control.catalog.change(changed.report_id, { report_title: 'Another title' });
      demo.control.catalog.withdraw(gone.report_id);
      demo.control.catalog.replacePdf(renewed.report_id);
      const early = await firstPage(client.changes({ cursor }));
      assert.deepEqual(early.data, []);
      cursor = early.next_cursor ?? '';
      demo.control.advance(settled);
      const changes = await everything(client.changes({ cursor }, { limit: 1 }));
      assert.deepEqual(changes.map(inShort), [
        ['upsert', changed.report_id, changed.report_id],
        ['withdrawn', gone.report_id, null],
        ['upsert', renewed.report_id, renewed.report_id],
      ]);
      assert.equal(changes[0]?.content_sha256, before.content_sha256);
      assert.equal(changes[0]?.report?.report_title, 'Another title');
      assert.equal(changes[1]?.content_sha256, null);
      assert.equal(changes[2]?.content_sha256, (await demo.control.pdf(renewed.report_id)).sha256);
      const sent = demo.control.log.to('GET /reports/changes').map(({ query }) => query.map(([name]) => name));
      assert.deepEqual(sent[0], ['since']);
      assert.ok(sent.slice(1).every((names) => names.includes('cursor') && !names.includes('since')));
    });

    it('may repeat and disorder what it tells, and nothing is lost', async () => {
      for (const action of [twice, backwards]) {
        const faults = [{ match: { route: 'GET /reports/changes' }, action }] as const;
        const { demo, client } = await startDemo({ ...plenty, readings, faults });
        const changes = await everything(client.changes({ since: '1990-01-01T00:00:00Z' }, { limit: 40 }));
        const ids = idsOf(changes);
        assert.deepEqual(
          [...new Set(ids)].sort((a, b) => a - b),
          idsOf(demo.control.entitled()),
        );
        assert.equal(ids.length, demo.control.entitled().length * (action === twice ? 2 : 1));
      }
    });

    it('keeps what it does not know: kinds and fields; a broken record costs no other', async () => {
      const rewrite = (body: unknown) => {
        const page = body as { data: Record<string, unknown>[] };
        const [first, second, ...rest] = page.data;
        const odd = { ...first, change: 'reclassified', reason: ['x'] };
        const broken = { ...second, report_id: null };
        return { ...page, data: [odd, broken, 7, ...rest], new_member: {} };
      };
      const faults = [
        { match: { route: 'GET /reports/changes', nth: 1 }, action: { kind: 'rewrite', change: rewrite } },
      ] as const;
      const { client } = await startDemo({ ...plenty, readings, faults });
      const page = await firstPage(client.changes({ since: '1990-01-01T00:00:00Z' }, { limit: 10 }));
      assert.equal(page.data.length, 9);
      assert.equal(page.data[0]?.change, 'reclassified');
      assert.deepEqual(page.data[0]?.other?.reason, ['x']);
      assert.equal(page.quarantined.length, 2);
      assert.equal(page.quarantined[1]?.raw, 7);
    });

    it('tells of a company that joined the license, and of maintenance with hashes that stay', async () => {
      const { demo, client, outside } = await startDemo({ ...plenty, readings });
      const known = new Map(
        (await everything(client.reports())).map(({ report_id, content_sha256 }) => [report_id, content_sha256]),
      );
      const { next_cursor } = await firstPage(client.changes({ since: new Date(demo.control.now()).toISOString() }));
      demo.control.catalog.maintenance();
      demo.control.catalog.license(outside.company.company_key);
      demo.control.advance(settled);
      const changes = await everything(client.changes({ cursor: next_cursor ?? '' }));
      const held = changes.filter(({ report_id }) => known.has(report_id));
      assert.deepEqual(new Set(idsOf(held)), new Set(known.keys()));
      for (const { report_id, content_sha256 } of held) assert.equal(content_sha256, known.get(report_id));
      const joined = changes.filter(({ company_key }) => company_key === outside.company.company_key);
      assert.ok(joined.some(({ report_id }) => report_id === outside.report.report_id));
    });
  });
}
