import assert from 'node:assert/strict';
import fc from 'fast-check';
import { companyEndpoints } from '../../../src/api/endpoints/companies.ts';
import { metaEndpoints } from '../../../src/api/endpoints/meta.ts';
import { reportEndpoints } from '../../../src/api/endpoints/reports.ts';
import type { IdentifierQuery } from '../../../src/api/schemas/company.ts';
import { objectItem, type RawPage, readPage } from '../../../src/api/schemas/page.ts';
import type { Reading } from '../../../src/api/schemas/record.ts';
import { readChange, readReport } from '../../../src/api/schemas/report.ts';
import type { Service, ServiceRequest } from '../../../src/api/transport/answers.ts';
import { ApiError, type ProblemKind } from '../../../src/api/transport/errors.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { FakeService } from './fakeService.ts';
import { wirePage, wireReport } from './wire.ts';

const kind = (expected: ProblemKind) => (error: unknown) =>
  error instanceof ApiError && error.problem.kind === expected;

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const result: T[] = [];
  for await (const page of pages) result.push(page);
  return result;
}

/** Serves ids in pages, with cursors that look like nothing in particular. */
function listOf(ids: readonly number[], size: number, cursorOf: (at: number) => string): FakeService {
  return new FakeService(({ query }) => {
    const starts = Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => index * size);
    const at = query?.cursor === undefined ? 0 : (starts.find((start) => cursorOf(start) === query.cursor) ?? -1);
    assert.ok(at >= 0, 'a cursor comes back as it was given');
    const next = at + size < ids.length ? cursorOf(at + size) : null;
    const bare = (id: number) => ({ report_id: id, report_key: `K${id}`, company_key: 'C' });
    return wirePage(ids.slice(at, at + size).map(bare), next);
  });
}

describe('paging', () => {
  it('gives every record once, in order, and cursors back unchanged', async () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 1e9 }), { maxLength: 20 });
    const salt = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(ids, fc.integer({ min: 1, max: 7 }), salt, async (list, size, salted) => {
        const service = listOf(list, size, (at) => `${salted}/+ %=${at}`);
        const pages = await all(reportEndpoints(service).reports());
        assert.deepEqual(
          pages.flatMap(({ data }) => data.map(({ report_id }) => report_id)),
          list,
        );
        assert.equal(service.asked.length, Math.max(1, Math.ceil(list.length / size)));
        assert.ok(pages.every(({ serverTime }) => serverTime === 42));
      }),
      { numRuns: 20 },
    );
  });

  it('ends with an error where a list leads back to itself', async () => {
    const same = new FakeService(() => wirePage([wireReport(1)], 'same'));
    await assert.rejects(all(reportEndpoints(same).reports()), kind('unexpected-shape'));
    assert.equal(same.asked.length, 2);
    const circle = new FakeService(({ query }) => wirePage([], query?.cursor === 'a' ? 'b' : 'a'));
    await assert.rejects(all(reportEndpoints(circle).reports()), kind('unexpected-shape'));
    assert.ok(circle.asked.length <= 3);
  });

  it('never asks for larger pages than the service gives', async () => {
    const limits = new FakeService(() => wirePage([]));
    await all(reportEndpoints(limits).reports({}, { limit: 1000 }));
    await all(reportEndpoints(limits).reports());
    await all(companyEndpoints(limits).watchlist({ limit: 1000 }));
    await all(reportEndpoints(limits).changes({ cursor: 'c' }));
    assert.deepEqual(
      limits.asked.map(({ query }) => query?.limit),
      [200, 200, 500, undefined],
    );
  });

  it('believes only reports that state the framework asked for, whatever the service answers (CNV-2)', async () => {
    const answers = [true, false, null, true].map((standards_gri, index) => ({
      ...{ report_id: index + 1, report_key: `K${index}`, company_key: 'C' },
      ...{ standards_gri, standards_eu_taxonomy: index === 3 },
    }));
    const service = new FakeService(() => wirePage(answers, null));
    const listed = async (...framework: string[]) =>
      (await all(reportEndpoints(service).reports({ framework }))).flatMap(({ data }) =>
        data.map(({ report_id }) => report_id),
      );
    for (const code of ['gri', 'GRI', 'std_gri']) assert.deepEqual(await listed(code), [1, 4], code);
    assert.deepEqual(await listed('gri', 'EU-Taxonomy'), [4]);
    assert.deepEqual(await listed('a code without a field'), [1, 2, 3, 4]);
    assert.deepEqual(await listed(), [1, 2, 3, 4]);
  });

  it('sends since or a cursor, never both (CHG-2)', async () => {
    const service = new FakeService(() => wirePage([]));
    await all(reportEndpoints(service).changes({ since: '2026-01-01T00:00:00Z' }));
    await all(reportEndpoints(service).changes({ cursor: 'kept' }));
    await all(reportEndpoints(service).changes({ since: '2026-01-01T00:00:00Z' }, { cursor: 'kept' }));
    assert.deepEqual(
      service.asked.map(({ query }) => [query?.since, query?.cursor]),
      [
        ['2026-01-01T00:00:00Z', undefined],
        [undefined, 'kept'],
        [undefined, 'kept'],
      ],
    );
  });

  it('leaves a page unread for a worker, in a buffer of its own', async () => {
    const service = listOf([4, 5, 6], 2, String);
    const [first] = await all(reportEndpoints(service).reports());
    const { latency: _, ...walked } = first ?? {};
    const raw = await reportEndpoints(service).reportsPage({}, {});
    const moved = structuredClone(raw, { transfer: [raw.body.buffer] });
    const read = ({ body, serverTime }: RawPage, item: (raw: JsonObject) => Reading<unknown>) =>
      readPage(JSON.parse(Buffer.from(body).toString('utf8')), serverTime, objectItem(item));
    assert.deepEqual(read(moved, readReport), { ok: true, value: walked });
    const changes = new FakeService(() => wirePage([{ change: 'withdrawn', report_id: 4, report: null }], 'next'));
    const page = read(await reportEndpoints(changes).changesPage({ since: '2026-01-01T00:00:00Z' }), readChange);
    assert.ok(page.ok);
    assert.partialDeepStrictEqual(page.value, { data: [{ report_id: 4 }], next_cursor: 'next', serverTime: 42 });
  });
});

/** Answers resolve and lookup calls by echo, and refuses what the service would refuse. */
function identifierService(): FakeService {
  return new FakeService(({ route, body }) => {
    const lists = Object.entries(body as Record<string, string[]>);
    const count = lists.reduce((sum, [, values]) => sum + values.length, 0);
    assert.ok(count > 0 && count <= 1000, `${count} in one call`);
    if (route === '/reports/lookup') {
      return { results: lists.flatMap(([, keys]) => keys.map((key) => ({ report_key: key, report_id: key.length }))) };
    }
    const results = lists.flatMap(([list, values]) =>
      values.map((query) => ({ query, identifier_type: list, matched: false, entitled: null, company: null })),
    );
    return { results, matched_count: 0, unmatched_count: results.length };
  });
}

describe('resolve and lookup', () => {
  const identifier = fc.record({
    list: fc.constantFrom('isins', 'names', 'tickers'),
    value: fc
      .constantFrom('A', 'B', 'C', 'D', 'Åse', '🌱')
      .chain((letter) => fc.integer({ min: 0, max: 900 }).map((number) => `${letter}${number}`)),
  }) as fc.Arbitrary<IdentifierQuery>;

  it('answers in input order, in calls of at most 1,000, each identifier asked once', async () => {
    const lists = fc.array(identifier, { minLength: 1, maxLength: 2500, size: 'max' });
    await fc.assert(
      fc.asyncProperty(lists, async (queries) => {
        const service = identifierService();
        const results = await companyEndpoints(service).resolve(queries);
        assert.deepEqual(
          results.map(({ query }) => query),
          queries.map(({ value }) => value),
        );
        const distinct = new Set(queries.map(({ list, value }) => `${list} ${value}`)).size;
        assert.equal(service.asked.length, Math.ceil(distinct / 1000));
      }),
      { numRuns: 10 },
    );
  });

  it('takes 0, 1, 1,000, 1,001 and 100,000', async () => {
    for (const count of [0, 1, 1000, 1001, 100_000]) {
      const service = identifierService();
      const keys = Array.from({ length: count }, (_, index) => `KEY_${index}`);
      const results = await reportEndpoints(service).lookup(keys);
      assert.equal(results.length, count);
      assert.ok(results.every(({ report_key }, index) => report_key === keys[index]));
      assert.equal(service.asked.length, Math.ceil(count / 1000));
    }
  });

  it('names the places of what can not be sent, and sends nothing', async () => {
    const service = identifierService();
    const bad = ['fine', '', ' ', 'with\u0000nul', 'line\nbreak', '\ud800', 'x'.repeat(2000)];
    await assert.rejects(reportEndpoints(service).lookup(bad), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.problem.kind, 'invalid');
      assert.deepEqual(
        error.problem.fields?.map(({ field }) => field),
        [2, 3, 4, 5, 6, 7].map((n) => `Entry ${n}`),
      );
      return true;
    });
    const queries = bad.map((value) => ({ list: 'names' as const, value }));
    await assert.rejects(companyEndpoints(service).resolve(queries), kind('invalid'));
    assert.equal(service.asked.length, 0);
  });

  it('sends emoji and other alphabets as they are', async () => {
    const service = identifierService();
    await companyEndpoints(service).resolve([{ list: 'names', value: '🌱 株式会社' }]);
    assert.deepEqual(service.asked[0]?.body, { names: ['🌱 株式会社'] });
  });
});

describe('single answers', () => {
  it('refuses ids that are none before any request', async () => {
    const service = new FakeService(() => wireReport(1));
    for (const id of [0, -1, 2 ** 53, 1.5, Number.NaN, '12' as unknown as number, '../health' as unknown as number]) {
      await assert.rejects(reportEndpoints(service).report(id), kind('invalid'));
      await assert.rejects(reportEndpoints(service).downloadLink(id), kind('invalid'));
    }
    assert.equal(service.asked.length, 0);
  });

  it('tells an answer of another form, without repeating it', async () => {
    for (const answer of ['[]', 'null', '"x"', '{"secret', '<html>', wireReport(0)]) {
      await assert.rejects(reportEndpoints(new FakeService(() => answer)).report(1), (error) => {
        assert.ok(kind('unexpected-shape')(error));
        assert.doesNotMatch(String(error), /secret|html/);
        return true;
      });
    }
    await assert.rejects(metaEndpoints(new FakeService(() => [])).entitlements(), kind('unexpected-shape'));
  });

  it('takes an answer to the question of health that is no JSON by its first words, and sends no key', async () => {
    const asked: ServiceRequest[] = [];
    const service: Service = {
      async ask(request) {
        asked.push(request);
        const body = Buffer.from(`unhealthy${' '.repeat(191)}and much more`);
        return { body, isJson: false, serverTime: 42, requestId: undefined };
      },
    };
    const { ok, status } = await metaEndpoints(service).health();
    assert.deepEqual([ok, status], [false, `unhealthy${' '.repeat(191)}`]);
    assert.deepEqual(
      asked.map(({ route, key }) => [route, key]),
      [['/health', false]],
    );
    assert.equal((await metaEndpoints(new FakeService(() => ({ status: 'ok' }))).health()).status, 'ok');
  });

  it('takes a field guide only when it is a PDF', async () => {
    assert.equal((await metaEndpoints(new FakeService(() => '%PDF-1.7 ...')).fieldGuide()).bytes?.byteLength, 12);
    await assert.rejects(metaEndpoints(new FakeService(() => '<html>')).fieldGuide(), kind('unexpected-shape'));
  });
});
