import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  estimateFirstLoad,
  type LoadPlanInput,
  nextQuietTime,
  planFirstLoad,
} from '../../../../src/library/sync/plan.ts';

const license: LoadPlanInput['entitlements'] = {
  full_access: false,
  fcyear_start: 2010,
  fcyear_end: 2024,
  watchlist_size: 2500,
};
const far = { latency: 400, requestsPerSecond: 8, year: 2026 };

describe('the plan of a first load', () => {
  it('is one chain near the service', () => {
    for (const latency of [0, 20, 100]) {
      const plan = planFirstLoad({ entitlements: license, ...far, latency });
      assert.deepEqual(plan, { filters: [{}], concurrency: 1 });
    }
  });

  it('is one chain when the distance is not known', () => {
    assert.equal(planFirstLoad({ entitlements: license, ...far, latency: null }).filters.length, 1);
  });

  it('covers a closed window in parts: late years one by one, early ones together', () => {
    const plan = planFirstLoad({ entitlements: license, ...far });
    assert.deepEqual(
      plan.filters.map(({ fcyear = [] }) => fcyear.length),
      [...Array(10).fill(1), 2, 2, 1],
    );
    const years = plan.filters.flatMap((filter) => filter.fcyear ?? []);
    assert.deepEqual(
      [...new Set(years)].sort(),
      Array.from({ length: 15 }, (_, index) => 2010 + index),
    );
    assert.ok(plan.concurrency >= 4 && plan.concurrency <= 8);
  });

  it('believes no window of sixty years', () => {
    const years = (change: Partial<LoadPlanInput['entitlements']>) =>
      planFirstLoad({ entitlements: { ...license, ...change }, ...far }).filters.flatMap(
        (filter) => filter.fcyear ?? [],
      );
    assert.equal(years({ fcyear_start: 1966, fcyear_end: 2025 }).length, 60);
    assert.deepEqual(years({ fcyear_start: 1965, fcyear_end: 2025 }), []);
    assert.equal(years({ fcyear_start: 2022, fcyear_end: 2024 }).length, 3);
    assert.deepEqual(years({ fcyear_start: 2023, fcyear_end: 2024 }), [], 'two years are too few for chains');
  });

  it('covers a window without an end up to last year, and later years together', () => {
    const { filters } = planFirstLoad({ entitlements: { ...license, fcyear_end: null }, ...far });
    const parts = filters.map(({ fcyear = [] }) => fcyear);
    assert.deepEqual(parts[0], [2025]);
    const later = parts.at(-1) ?? [];
    assert.deepEqual([later[0], later.at(-1), later.length], [2026, 2125, 100]);
    assert.ok(
      filters.every(({ fcyear = [] }) => fcyear.length <= 500),
      'filter values of a request (LIM-1)',
    );
  });

  it('is one chain for a full-access key: no filter is sure to bring undated reports', () => {
    const plan = planFirstLoad({ entitlements: { ...license, full_access: true }, ...far });
    assert.deepEqual(plan, { filters: [{}], concurrency: 1 });
  });

  it('falls back to one chain for a window it can not count', () => {
    for (const change of [
      { fcyear_start: null },
      { fcyear_start: 3000 },
      { fcyear_start: -5000 },
      { fcyear_start: 2024 },
    ]) {
      assert.deepEqual(planFirstLoad({ entitlements: { ...license, ...change }, ...far }).filters, [{}]);
    }
  });

  it('matches every report of the license exactly once', () => {
    const licenses = fc.record({
      full_access: fc.boolean(),
      fcyear_start: fc.integer({ min: 1990, max: 2030 }),
      fcyear_end: fc.option(fc.integer({ min: 1990, max: 2030 })),
      watchlist_size: fc.option(fc.integer({ min: 1, max: 30_000 })),
    });
    fc.assert(
      fc.property(licenses, fc.integer({ min: 0, max: 2000 }), (entitlements, latency) => {
        const plan = planFirstLoad({ ...far, entitlements, latency });
        const { fcyear_start, fcyear_end } = entitlements;
        for (let year = fcyear_start; year <= (fcyear_end ?? 2100); year++) {
          const chains = plan.filters.filter((filter) => filter.fcyear?.includes(year) ?? true);
          assert.equal(chains.length, 1, `${year}`);
        }
      }),
    );
  });
});

describe('the estimate of a first load', () => {
  it('tells size and time, and what is large', () => {
    const large = estimateFirstLoad({ ...far, entitlements: { ...license, watchlist_size: 25_000 } });
    assert.equal(large.large, true);
    assert.equal(large.seconds, Math.ceil(large.reports / 200 / 8));
    assert.equal(estimateFirstLoad({ ...far, entitlements: { ...license, watchlist_size: 20 } }).large, false);
  });

  it('counts the years of the window, fifteen when it has no beginning, and pages of 200', () => {
    const pages = (change: Partial<LoadPlanInput['entitlements']>) =>
      estimateFirstLoad({ ...far, entitlements: { ...license, ...change } }).reports / 200;
    assert.equal(pages({}), Math.ceil((2500 * 15 * 1.7) / 200));
    assert.equal(pages({ fcyear_start: null, fcyear_end: null }), pages({}));
    assert.equal(pages({ fcyear_start: 2024 }), Math.ceil((2500 * 1.7) / 200));
    assert.equal(pages({ fcyear_start: 2024, fcyear_end: null }), Math.ceil((2500 * 3 * 1.7) / 200));
    assert.equal(pages({ watchlist_size: null }), Math.ceil((1000 * 15 * 1.7) / 200));
  });

  it('knows the quiet hours in UTC', () => {
    const at = (text: string) => Date.parse(text);
    assert.equal(nextQuietTime(at('2026-03-01T05:59:59Z')), at('2026-03-01T00:00:00Z'));
    assert.equal(nextQuietTime(at('2026-03-01T06:00:00Z')), at('2026-03-02T00:00:00Z'));
    assert.equal(nextQuietTime(at('2026-03-01T23:59:59Z')), at('2026-03-02T00:00:00Z'));
  });
});
