import assert from 'node:assert/strict';
import type { ReportFilter } from '../../../src/api/client.ts';
import { fiscalYearOf } from '../../../src/api/schemas/fields.ts';
import type { DemoCompany, DemoReport } from '../../../src/demo/catalog.ts';
import { wireLanguages } from '../../../src/demo/wire.ts';
import { failureKind } from './clients.ts';
import {
  clientWith,
  endDemos,
  everyPage,
  everything,
  firstPage,
  idsOf,
  readingNames,
  startDemo,
  unknownType,
} from './demos.ts';

const many = { requestsPerMinute: 100_000 };

afterEach(endDemos);

for (const readings of readingNames) {
  describe(`lists of the ${readings} demo`, () => {
    it('hold every entitled report once, in order of ids, whatever the page size and the key', async () => {
      const { demo, client } = await startDemo({ ...many, readings });
      const truth = demo.control.entitled();
      assert.ok(truth.length > 200);
      for (const limit of [undefined, 200, 63, 7]) {
        const pages = await everyPage(client.reports({}, { limit }));
        assert.deepEqual(
          pages.flatMap(({ data }) => idsOf(data)),
          idsOf(truth),
        );
        assert.equal(pages.length, Math.ceil(truth.length / (limit ?? 200)));
        assert.deepEqual(
          pages.map(({ has_more }) => has_more),
          pages.map((_, index) => index < pages.length - 1),
        );
        for (const { count, data, quarantined } of pages) assert.deepEqual([count, quarantined], [data.length, []]);
      }
    });

    it('hold what a narrower license holds', async () => {
      for (const label of ['sandbox', 'years', 'core'] as const) {
        const { demo, client: full } = await startDemo({ ...many, readings });
        const client = clientWith(demo, demo.keys[label]);
        const ids = idsOf(await everything(client.reports()));
        assert.deepEqual(ids, idsOf(demo.control.entitled(label)));
        assert.ok(ids.length > 0 && ids.length < (await everything(full.reports())).length, label);
      }
    });

    it('go on from a cursor as it was given, and refuse an edited one', async () => {
      const { demo, client } = await startDemo({ ...many, readings });
      const first = await firstPage(client.reports({}, { limit: 50 }));
      const cursor = first.next_cursor ?? '';
      const rest = await everything(client.reports({}, { limit: 50, cursor }));
      assert.deepEqual(idsOf([...first.data, ...rest]), idsOf(demo.control.entitled()));
      assert.equal(demo.control.log.to('GET /reports')[1]?.query.find(([name]) => name === 'cursor')?.[1], cursor);
      const edited = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
      assert.equal(await failureKind(everything(client.reports({}, { limit: 50, cursor: edited }))), 'invalid');
    });

    it('name every licensed company, and none besides', async () => {
      const { demo, client } = await startDemo({ ...many, readings });
      for (const limit of [undefined, 500, 2]) {
        const keys = (await everything(client.watchlist({ limit }))).map(({ company_key }) => company_key);
        const { watchlist_size } = await client.entitlements();
        assert.equal(keys.length, watchlist_size);
        assert.equal(new Set(keys).size, 6);
        const withReports = new Set(demo.control.entitled().map(({ company_key }) => company_key));
        assert.deepEqual(new Set(keys), withReports);
      }
    });

    it('are filtered as asked: different filters AND, repeated ones OR, frameworks all', async () => {
      const { demo, client } = await startDemo({ ...many, readings });
      const truth = demo.control.entitled();
      const company = demo.control.catalog.company(truth[0]?.company_key ?? '');
      const cases: readonly (readonly [ReportFilter, (report: DemoReport, owner: DemoCompany) => boolean])[] = [
        [{ company_key: company.company_key }, (report) => report.company_key === company.company_key],
        [{ company_key: 'XNON_NONE' }, () => false],
        [{ type: ['SR'] }, (report) => report.report_type === 'SR'],
        [{ type: ['SR', 'AR1'] }, (report) => ['SR', 'AR1'].includes(report.report_type)],
        [{ type: [unknownType] }, (report) => report.report_type === unknownType],
        [{ type: ['NONE'] }, () => false],
        [{ fcyear: [2020, 2022] }, (report) => [2020, 2022].includes(fiscalYearOf(report) ?? 0)],
        [{ language: 'en' }, (report) => wireLanguages(report).includes('en')],
        [{ language: 'de' }, (report) => wireLanguages(report).includes('de')],
        [{ isin: company.isin ?? '' }, (_, owner) => owner === company && !company.isinWithheld],
        [{ framework: ['gri'] }, (report) => report.fields.standards_gri === true],
        [
          { framework: ['gri', 'tcfd'] },
          ({ fields }) => fields.standards_gri === true && fields.standards_tcfd === true,
        ],
        [
          { type: ['SR', 'IR'], fcyear: [2021], framework: ['gri'] },
          (report) =>
            ['SR', 'IR'].includes(report.report_type) &&
            fiscalYearOf(report) === 2021 &&
            report.fields.standards_gri === true,
        ],
      ];
      for (const [filter, admits] of cases) {
        const expected = truth.filter((report) => admits(report, demo.control.catalog.company(report.company_key)));
        const listed = await everything(client.reports(filter, { limit: 20 }));
        assert.deepEqual(idsOf(listed), idsOf(expected), JSON.stringify(filter));
      }
    });
  });
}
