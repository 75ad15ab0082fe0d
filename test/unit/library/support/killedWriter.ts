import { changeOf, openFile } from './stores.ts';
import { report } from './wireReports.ts';

/**
 * A process that writes until it is killed: pages of a load and pages of the feed, each with its cursor. Page p brings
 * the reports 5p + 1 to 5p + 5 and the cursor "p"; the feed's page changes the page count of those it brought before.
 */
const [, , path = ''] = process.argv;
const store = openFile(path, Date.now);
const generation = store.beginRun();

let chain = store.chains()[0];
if (!chain) {
  const walk = { kind: 'first', startedAt: 0, watchlist: true, unreadable: 0 } as const;
  store.beginWalk({ phase: 'loading', walk }, [{}], generation);
  chain = store.chains()[0];
}

const stored = chain?.cursor ? Number(chain.cursor) : -1;
const followed = Number(store.syncRecord().cursor?.replace('feed ', '') ?? -1);
// It goes on where it was killed: between a page and the feed's page, or after both.
for (let page = followed + 1; ; page++) {
  const reports = [1, 2, 3, 4, 5].map((n) => report(page * 5 + n));
  if (page > stored) {
    const chain = { id: 1, cursor: String(page), done: false };
    store.applyListPage({ reports, quarantined: [], asOf: null, chain, generation });
  }
  const [first] = reports;
  if (!first) continue;
  const changed_at = new Date(Date.UTC(2026, 0, 1) + page * 1000).toISOString();
  const changes = [changeOf({ ...first, report_pages: 100_000 + page }, { changed_at })];
  store.applyFeedPage({ changes, quarantined: [], cursor: `feed ${page}`, atEnd: true, generation });
  // From here on it may be killed: a busy machine may take long to get so far.
  if (page === followed + 1) process.send?.('ready');
}
