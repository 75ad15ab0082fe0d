import assert from 'node:assert/strict';
import { type AskOptions, ask, type Item, services, walk } from '../../support/demo/ask.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { outsideCompany } from '../../support/demo/tinyCatalogue.ts';

const { start, end } = services();
const settlingMs = 900_000;
/** Later than the records the catalogue begins with. */
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
    service.control.catalogue.change(2, { report_title: 'Another title' });
    assert.deepEqual(await feed(service), []);
    service.control.advance(settlingMs - 1_000);
    assert.deepEqual(await feed(service), []);
    service.control.advance(1_000);
    assert.deepEqual(inShort(await feed(service)), ['upsert 2']);
  });

  it('shows nothing of a change that has not settled in the items before it', async () => {
    const service = await start();
    const { catalogue } = service.control;
    const before = (await ask(service, '/reports/2')).json;
    catalogue.change(2, { report_title: 'Another title' });
    service.control.advance(settlingMs);
    catalogue.change(2, { report_title: 'A third title' });
    catalogue.replacePdf(2);
    catalogue.renameCompany(before.company_key as string, 'XTST_OMEGA');
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

  it('attaches the full report to an upsert and nothing to a withdrawal', async () => {
    const service = await start();
    service.control.catalogue.change(2, { report_title: 'Another title' });
    service.control.catalogue.withdraw(3);
    service.control.advance(settlingMs);
    const [upsert, withdrawn] = await feed(service);
    assert.deepEqual(upsert?.report, (await ask(service, '/reports/2')).json);
    assert.equal(upsert?.content_sha256, (await ask(service, '/reports/2')).json.content_sha256);
    assert.ok(withdrawn);
    const { changed_at, ...rest } = withdrawn;
    assert.ok(!Number.isNaN(Date.parse(String(changed_at))));
    assert.deepEqual(rest, {
      change: 'withdrawn',
      report_id: 3,
      report_key: 'XTST_ALFA_2020_SR_3',
      company_key: 'XTST_ALFA',
      content_sha256: null,
      report: null,
    });
    assert.equal((await ask(service, '/reports/3')).status, 404);
  });

  it('gives a cursor on every page, also an empty one, and goes on from it', async () => {
    const service = await start();
    const empty = await ask(service, `/reports/changes?since=${beginning}`);
    assert.deepEqual(empty.json.page_info.has_more, false);
    service.control.catalogue.change(4, { report_title: 'Another title' });
    service.control.advance(settlingMs);
    const next = await ask(service, `/reports/changes?cursor=${empty.json.page_info.next_cursor}`);
    assert.deepEqual(inShort(next.json.data), ['upsert 4']);
    const after = await ask(service, `/reports/changes?cursor=${next.json.page_info.next_cursor}`);
    assert.deepEqual(after.json.data, []);
    assert.ok(after.json.page_info.next_cursor);
  });

  it('lets the cursor win over since', async () => {
    const service = await start();
    const { next_cursor } = (await ask(service, `/reports/changes?since=${beginning}`)).json.page_info;
    const both = await ask(service, `/reports/changes?since=2000-01-01T00:00:00Z&cursor=${next_cursor}`);
    assert.deepEqual(both.json.data, []);
    assert.equal((await ask(service, `/reports/changes?since=nonsense&cursor=${next_cursor}`)).status, 200);
  });

  it('begins with the catalogue itself for an early since', async () => {
    const service = await start();
    const pages = await walk(service, '/reports/changes?since=2000-01-01T00:00:00Z&limit=2');
    assert.deepEqual(
      inShort(pages.flatMap((page) => [...page.json.data])),
      [1, 2, 3, 4, 5].map((id) => `upsert ${id}`),
    );
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

  it('orders changes by time over pages of one', async () => {
    const service = await start();
    for (const id of [5, 1, 3]) {
      service.control.catalogue.change(id, { report_title: 'Another title' });
      service.control.advance(1_000);
    }
    service.control.advance(settlingMs);
    const pages = await walk(service, `/reports/changes?since=${beginning}&limit=1`);
    const items = pages.flatMap((page) => [...page.json.data]);
    assert.deepEqual(inShort(items), ['upsert 5', 'upsert 1', 'upsert 3']);
    const times = items.map((item) => String(item.changed_at));
    assert.deepEqual(times, times.toSorted());
  });

  it('keeps the hash for new metadata and maintenance, and changes it for a new PDF', async () => {
    const service = await start();
    const before = (await ask(service, '/reports/1')).json.content_sha256;
    service.control.catalogue.change(1, { report_title: 'A title that the PDF would print' });
    assert.equal((await ask(service, '/reports/1')).json.content_sha256, before);
    service.control.catalogue.maintenance();
    service.control.advance(settlingMs);
    const stamped = await feed(service);
    assert.equal(stamped.length, 6);
    assert.ok(stamped.filter((item) => item.report_id === 1).every((item) => item.content_sha256 === before));
    service.control.catalogue.replacePdf(1);
    service.control.advance(settlingMs);
    assert.notEqual((await feed(service)).at(-1)?.content_sha256, before);
  });

  it('repeats a change that happened twice: delivery is at least once', async () => {
    const service = await start();
    service.control.catalogue.change(2, { report_title: 'First' });
    service.control.catalogue.change(2, { report_title: 'Second' });
    service.control.advance(settlingMs);
    assert.deepEqual(inShort(await feed(service)), ['upsert 2', 'upsert 2']);
  });

  it('says nothing of silent removals, which a walk finds', async () => {
    const service = await start();
    service.control.catalogue.removeSilently(2);
    service.control.advance(settlingMs);
    assert.deepEqual(await feed(service), []);
    assert.equal((await ask(service, '/reports/2')).status, 404);
  });

  it('says nothing of a report that leaves a licence by reclassification', async () => {
    const service = await start();
    service.control.catalogue.change(2, { report_fcyear: 2015 });
    service.control.catalogue.change(3, { report_type: 'CODE' });
    service.control.advance(settlingMs);
    assert.deepEqual(inShort(await feed(service, { key: service.keys.years })), ['upsert 3']);
    assert.deepEqual(inShort(await feed(service, { key: service.keys.core })), []);
    assert.deepEqual(inShort(await feed(service)), ['upsert 2', 'upsert 3']);
    assert.equal((await ask(service, '/reports/2', { key: service.keys.years })).status, 403);
  });

  it('tells one licence of a company that joined it', async () => {
    const service = await start();
    const other = service.control.issueKey({ label: 'other' });
    service.control.catalogue.license(outsideCompany);
    service.control.advance(settlingMs);
    assert.deepEqual(inShort(await feed(service)), ['upsert 9000']);
    assert.deepEqual(await feed(service, { key: other }), []);
    assert.equal((await ask(service, '/entitlements')).json.watchlist_size, 2);
    assert.equal((await ask(service, '/reports/9000')).status, 200);
  });

  it('withholds what happens outside the licence', async () => {
    const service = await start();
    service.control.catalogue.add(outsideCompany);
    service.control.catalogue.withdraw(9_000);
    service.control.advance(settlingMs);
    assert.deepEqual(await feed(service), []);
  });

  it('never skips a change of a large write that is still open', async () => {
    const service = await start();
    const commit = service.control.catalogue.openLargeWrite();
    service.control.catalogue.change(1, { report_title: 'Early' });
    service.control.advance(settlingMs * 2);
    const during = await ask(service, `/reports/changes?since=${beginning}`);
    assert.deepEqual(during.json.data, []);
    service.control.catalogue.change(2, { report_title: 'Late' });
    commit();
    const after = await ask(service, `/reports/changes?cursor=${during.json.page_info.next_cursor}`);
    assert.deepEqual(inShort(after.json.data), ['upsert 1', 'upsert 2']);
  });

  it('moves a renamed company and its reports', async () => {
    const service = await start();
    service.control.catalogue.renameCompany('XTST_ALFA', 'XNEW_ALFA');
    service.control.advance(settlingMs);
    const items = await feed(service);
    assert.equal(items.length, 5);
    assert.deepEqual([items[0]?.company_key, items[0]?.report_key], ['XNEW_ALFA', 'XNEW_ALFA_2020_SR_1']);
  });

  it('adds a report and merges two', async () => {
    const service = await start();
    const added = service.control.catalogue.add('XTST_ALFA', { report_type: 'SR' });
    service.control.catalogue.merge(1, 2);
    service.control.advance(settlingMs);
    assert.deepEqual(inShort(await feed(service)), [`upsert ${added.report_id}`, 'withdrawn 1', 'upsert 2']);
    assert.equal(added.report_fcyear, 2021);
  });
});
