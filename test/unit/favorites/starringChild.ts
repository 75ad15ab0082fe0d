import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { FavoriteStore } from '../../../src/favorites/favoriteStore.ts';
import { joined } from '../../../src/favorites/favorites.ts';

/** Another window, which stars reports one after the other. */
const [folder = '', file = '', first = '0', count = '0'] = process.argv.slice(2);
const store = new FavoriteStore(folder, { clock: systemClock, logger: silentLogger });
for (let id = Number(first); id < Number(first) + Number(count); id++) {
  await store.change(file, (items) => joined([...items, { company_key: 'A', report_id: id, report_key: null }]));
}
store.dispose();
