import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { fiscalYearOf } from '../../../../src/api/schemas/fields.ts';
import type { Report } from '../../../../src/api/schemas/report.ts';
import { sortName } from '../../../../src/library/companyQuery.ts';
import {
  type GroupBy,
  groupings,
  maxRange,
  maxRows,
  type ReportOrder,
  type ReportQuery,
  type SortColumn,
  sortColumns,
  triStateFields,
} from '../../../../src/library/reportQuery.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import { bring, openFile, openInMemory, temporaryDirectory } from '../support/stores.ts';
import { found, queries, storeOfReports } from '../support/variedReports.ts';
import { report } from '../support/wireReports.ts';

const orders: fc.Arbitrary<ReportOrder> = fc.record({
  column: fc.constantFrom(...sortColumns),
  descending: fc.boolean(),
});

/** What a report is sorted by, as a person would say it; null when it is not stated. */
function sortValue(given: Report, column: SortColumn): string | number | null {
  const plain = (text: string | null) => text?.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) ?? null;
  switch (column) {
    case 'company':
      return sortName(given.company_name ?? given.company_key);
    case 'title':
      return plain(given.metadata.title || given.report_title);
    case 'country':
    case 'sector':
    case 'industry':
      return plain(given[`company_${column}`]);
    case 'type':
    case 'class':
      return given[`report_${column}`];
    case 'fiscal_year':
      return fiscalYearOf(given);
    case 'published':
      return given.report_pubdate_iso;
    case 'language':
      return given.report_lang?.match(/[a-z]+/g)?.join(',') ?? null;
    case 'pages':
      return given.report_pages;
    case 'filesize':
      return given.report_filesize;
    case 'assurance_level':
      return given.assurance_level;
    default:
      return given[column] === null ? null : Number(given[column]);
  }
}

function compared(a: string | number | null, b: string | number | null, descending: boolean): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  const forward = typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b);
  return descending ? -forward : forward;
}

const expected = (query: ReportQuery, { column, descending }: ReportOrder): number[] =>
  found(query)
    .map(({ report }) => report)
    .sort((a, b) => compared(sortValue(a, column), sortValue(b, column), descending) || a.report_id - b.report_id)
    .map(({ report_id }) => report_id);

describe('the table of all reports', function () {
  this.timeout(30_000);
  let store: LibraryStore;
  before(() => {
    store = storeOfReports();
  });
  after(() => store.close());

  const idsAt = (query: ReportQuery, order: ReportOrder, offset: number, limit: number) =>
    store.reportsAt(query, order, { offset, limit }).map(({ report_id }) => report_id);

  it('comes in every order of its columns, unknown values last, equal ones by id', () => {
    for (const column of sortColumns) {
      for (const descending of [false, true]) {
        const order = { column, descending };
        assert.deepEqual(idsAt({}, order, 0, 1000), expected({}, order), `${column} ${descending}`);
      }
    }
  });

  it('shows what each report states', () => {
    const rows = store.reportsAt({}, { column: 'company', descending: false }, { offset: 0, limit: 1000 });
    const stated = new Map(found({}).map(({ report: given }) => [given.report_id, given]));
    for (const row of rows) {
      const given = stated.get(row.report_id);
      assert.ok(given);
      assert.deepEqual([row.assurance_level, row.company_name], [given.assurance_level, given.company_name]);
      assert.deepEqual(row.facts, Object.fromEntries(triStateFields.map((field) => [field, given[field]])));
      for (const by of ['country', 'sector', 'industry'] as const) assert.equal(row[by], given[`company_${by}`]);
    }
    assert.equal(rows.length, stated.size);
  });

  it('gives any rows of any query in any order, in whatever sequence they are asked for', () => {
    const asked = fc.record({ query: queries, order: orders, offset: fc.nat(60), limit: fc.nat(60) });
    fc.assert(
      fc.property(asked, ({ query, order, offset, limit }) => {
        const all = expected(query, order);
        assert.deepEqual(idsAt(query, order, offset, limit), all.slice(offset, offset + limit));
        assert.deepEqual(idsAt(query, order, Math.max(0, all.length - 1), 5), all.slice(-1));
        assert.deepEqual(idsAt(query, order, all.length, 5), []);
        // Asked for that many, the whole order is kept.
        assert.deepEqual(store.idsBetween(query, order, 0, maxRange).ids, all);
        assert.deepEqual(idsAt(query, order, offset, limit), all.slice(offset, offset + limit));
        assert.deepEqual(store.idsBetween(query, order, offset, offset + limit), {
          ids: all.slice(offset, offset + limit),
          whole: true,
        });
        assert.equal(store.countReports(query), all.length);
      }),
      { numRuns: 300 },
    );
  });

  it('counts yes, no and undetermined of every fact, as a filter finds them', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const answered = found(query).map(({ report }) => report);
        const counted = triStateFields.map((field) => {
          const count = (value: boolean | null) => answered.filter((given) => given[field] === value).length;
          return { field, yes: count(true), no: count(false), undetermined: count(null) };
        });
        assert.deepEqual(store.factCounts(query), counted);
      }),
      { numRuns: 100 },
    );
  });

  it('counts the values of every facet, as a filter finds them', () => {
    const facets: Readonly<Record<GroupBy, (given: Report) => readonly (string | number | null)[]>> = {
      type: ({ report_type }) => [report_type],
      class: ({ report_class }) => [report_class],
      fcyear: (given) => [fiscalYearOf(given)],
      language: ({ report_lang }) => report_lang?.match(/[a-z]+/gi)?.map((code) => code.toLowerCase()) ?? [null],
      assurance_level: ({ assurance_level }) => [assurance_level],
      published: ({ report_pubdate_iso: date }) => (date ? [...new Set([date.slice(0, 4), date.slice(0, 7)])] : [null]),
      country: ({ company_country }) => [company_country],
      sector: ({ company_sector }) => [company_sector],
      industry: ({ company_industry }) => [company_industry],
      company: ({ company_key }) => [company_key],
    };
    fc.assert(
      fc.property(queries, fc.constantFrom(...groupings), (query, by) => {
        const expected = new Map<string | number | null, number>();
        for (const { report: given } of found(query))
          for (const value of facets[by](given)) expected.set(value || null, (expected.get(value || null) ?? 0) + 1);
        const counted = store.groupReports(query, by);
        assert.deepEqual(new Map(counted.map(({ value, count }) => [value, count])), expected, by);
        assert.equal(counted.length, expected.size);
      }),
      { numRuns: 300 },
    );
  });

  it('gives a page and a range of limited length, and says when a range is longer', () => {
    const many = openInMemory();
    bring(
      many,
      Array.from({ length: maxRows + 5 }, (_, index) => report(index + 1)),
    );
    const order: ReportOrder = { column: 'title', descending: false };
    assert.equal(many.reportsAt({}, order, { offset: 0, limit: 5000 }).length, maxRows);
    assert.equal(many.idsBetween({}, order, 2, 1e6).ids.length, maxRows + 3);
    assert.equal(many.idsBetween({}, order, 2, maxRange + 2).whole, true);
    assert.equal(many.idsBetween({}, order, 2, maxRange + 3).whole, false);
    assert.deepEqual(many.idsBetween({}, order, 5, 2), { ids: [], whole: true });
    many.close();
  });

  it('keeps no order of before a write, whichever window wrote', () => {
    const directory = temporaryDirectory();
    const path = join(directory.path, 'library.db');
    const [here, there] = [openFile(path), openFile(path)];
    const order: ReportOrder = { column: 'pages', descending: true };
    const first = () => here.reportsAt({}, order, { offset: 0, limit: 2 }).map(({ report_id }) => report_id);
    const pages = (n: number, report_pages: number) => ({ ...report(n), report_pages });
    bring(
      here,
      Array.from({ length: 1100 }, (_, index) => pages(index + 1, 1)),
    );
    // Far down: from here on the whole order is kept.
    assert.equal(here.idsBetween({}, order, 0, 1100).ids.length, 1100);
    assert.deepEqual(first(), [3, 6]);
    bring(here, [pages(500, 7)]);
    assert.deepEqual(first(), [1500, 3]);
    assert.equal(here.idsBetween({}, order, 0, 1100).ids[0], 1500);
    bring(there, [pages(600, 8)]);
    here.poll();
    assert.deepEqual(first(), [1800, 1500]);
    here.close();
    there.close();
    directory.remove();
  });
});
