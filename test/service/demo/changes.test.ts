import assert from 'node:assert/strict';
import { type AskOptions, ask, type Item, services, walk } from '../../support/demo/ask.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { outsideCompany } from '../../support/demo/tinyCatalog.ts';

const { start, end } = services();
const settlingMs = 900_000;
/** Later than the records the catalog begins with. */
const beginning = '2022-01-01T00:00:00Z';

async function feed(service: TestDemo, options: AskOptions = {}): Promise<Item[]> {
  const pages = await walk(service, `/reports/changes?since=${beginning}`, options);
  return pages.flatMap((page) => [...page.json.data]);
}

const inShort = (items: readonly Item[]) => items.map((item) => `${item.change} ${item.report_id}`);

describe('demo change feed', () => {
  afterEach(end);

  it('shows a change after the settling delay and not before', async () => {
    const service = await start();
    service.control.catalog.change(2, { report_title: 'Another title' });
    assert.deepEqual(await feed(service), []);
    service.control.advance(settlingMs - 1_000);
    assert.deepEqual(await feed(service), []);
    service.control.advance(1_000);
    assert.deepEqual(inShort(await feed(service)), ['upsert 2']);
  });

  it('shows nothing of a change that has not settled in the items before it', async () => {
    const service = await start();
    const { catalog } = service.control;
    const before = (await ask(service, '/reports/2')).json;
    catalog.change(2, { report_title: 'Another title' });
    service.control.advance(settlingMs);
    catalog.change(2, { report_title: 'A third title' });
    catalog.replacePdf(2);
    catalog.renameCompany(before.company_key as string, 'XTST_OMEGA');
    const told = (await feed(service)).filter((item) => item.report_id === 2);
    assert.deepEqual(
      told.map(({ report, content_sha256, company_key }) => [
        (report as Item).report_title,
        content_sha256,
        company_key,
      ]),
      [['Another title', before.content_sha256, before.company_key]],
    );
    service.control.advance(settlingMs);
    const last = (await feed(service)).findLast((item) => item.report_id === 2);
    assert.deepEqual(last?.report, (await ask(service, '/reports/2')).json);
    assert.notEqual(last?.content_sha256, before.content_sha256);
  });

  it('lets the cursor win over since', async () => {
    const service = await start();
    const { next_cursor } = (await ask(service, `/reports/changes?since=${beginning}`)).json.page_info;
    const both = await ask(service, `/reports/changes?since=2000-01-01T00:00:00Z&cursor=${next_cursor}`);
    assert.deepEqual(both.json.data, []);
    assert.equal((await ask(service, `/reports/changes?since=nonsense&cursor=${next_cursor}`)).status, 200);
  });

  it('refuses a request without a since it can read', async () => {
    const service = await start();
    for (const query of [
      '',
      '?since=yesterday',
      '?since=2024-02-30',
      '?since=',
      '?since=2024-01-01T00:00:00%2B02:00',
    ]) {
      const answer = await ask(service, `/reports/changes${query}`);
      assert.equal(answer.status, 422, query);
      assert.equal(answer.json.errors[0]?.field, 'since');
    }
  });

  it('says nothing of silent removals, which a walk finds', async () => {
    const service = await start();
    service.control.catalog.removeSilently(2);
    service.control.advance(settlingMs);
    assert.deepEqual(await feed(service), []);
    assert.equal((await ask(service, '/reports/2')).status, 404);
  });

  it('says nothing of a report that leaves a license by reclassification', async () => {
    const service = await start();
    service.control.catalog.change(2, { report_fcyear: 2015 });
    service.control.catalog.change(3, { report_type: 'CODE' });
    service.control.advance(settlingMs);
    assert.deepEqual(inShort(await feed(service, { key: service.keys.years })), ['upsert 3']);
    assert.deepEqual(inShort(await feed(service, { key: service.keys.core })), []);
    assert.deepEqual(inShort(await feed(service)), ['upsert 2', 'upsert 3']);
    assert.equal((await ask(service, '/reports/2', { key: service.keys.years })).status, 403);
  });

  it('withholds what happens outside the license', async () => {
    const service = await start();
    service.control.catalog.add(outsideCompany);
    service.control.catalog.withdraw(9_000);
    service.control.advance(settlingMs);
    assert.deepEqual(await feed(service), []);
  });

  it('moves a renamed company and its reports', async () => {
    const service = await start();
    service.control.catalog.renameCompany('XTST_ALFA', 'XNEW_ALFA');
    service.control.advance(settlingMs);
    const items = await feed(service);
    assert.equal(items.length, 5);
    assert.deepEqual([items[0]?.company_key, items[0]?.report_key], ['XNEW_ALFA', 'XNEW_ALFA_2020_SR_1']);
  });

  it('adds a report and merges two', async () => {
    const service = await start();
    const added = service.control.catalog.add('XTST_ALFA', { report_type: 'SR' });
    service.control.catalog.merge(1, 2);
    service.control.advance(settlingMs);
    assert.deepEqual(inShort(await feed(service)), [`upsert ${added.report_id}`, 'withdrawn 1', 'upsert 2']);
    assert.equal(added.report_fcyear, 2021);
  });
});
