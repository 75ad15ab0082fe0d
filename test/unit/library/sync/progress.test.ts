import assert from 'node:assert/strict';
import type { SyncProgress } from '../../../../src/library/sync/run.ts';
import type { Asked } from '../support/fakeService.ts';
import { syncBench } from '../support/syncBench.ts';
import { wireReport } from '../support/wireReports.ts';

/** Has each page of the list say how many reports there are in all. */
const saysHowMany =
  (count: number) =>
  (text: string, { route }: Asked): string => {
    const page = JSON.parse(text);
    return route === 'reports' ? JSON.stringify({ ...page, page_info: { ...page.page_info, count } }) : text;
  };

describe('the progress of a load', () => {
  it('goes by the pace of this run alone when it goes on with an interrupted one', async () => {
    const { service, engine, clock } = syncBench(30);
    service.spoil = saysHowMany(30);
    let pages = 0;
    service.before = ({ route }) => {
      if (route !== 'reports') return;
      clock.advance(2000);
      if (++pages === 4) throw new Error('gone');
    };
    await assert.rejects(engine.sync(), /gone/);
    const seen: SyncProgress[] = [];
    engine.onDidProgress((progress) => seen.push(progress));
    await engine.sync();
    const first = seen.find(({ activity, reports }) => activity === 'loading' && reports === 20);
    assert.equal(first?.secondsLeft, 4);
  });
});

describe('a company that is fetched early', () => {
  it('comes whole, page by page, and ends where its list leads back to itself', async () => {
    const { service, engine } = syncBench(40);
    service.pageSize = 1;
    const key = wireReport(1, 4).company_key;
    const theirs = [...service.truth.values()].filter((wire) => wire.company_key === key);
    assert.ok(theirs.length > 1);
    assert.equal((await engine.loadCompany(key)).added, theirs.length);
    assert.equal(service.asked.length, theirs.length);
    service.asked.length = 0;
    service.spoil = (text) => {
      const page = JSON.parse(text);
      page.page_info = { ...page.page_info, next_cursor: page.page_info.next_cursor ?? 'again', has_more: true };
      if (service.asked.length > 1) page.page_info.next_cursor = service.asked.at(-1)?.cursor;
      return JSON.stringify(page);
    };
    assert.equal((await engine.loadCompany(key)).unchanged, 2);
    assert.equal(service.asked.length, 2);
  });
});
