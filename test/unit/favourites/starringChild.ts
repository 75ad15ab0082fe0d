import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { FavouriteStore } from '../../../src/favourites/favouriteStore.ts';
import { favourite, joined } from '../../../src/favourites/list.ts';

/** Another window, which stars reports one after the other. */
const [folder = '', file = '', first = '0', count = '0'] = process.argv.slice(2);
const store = new FavouriteStore(folder, { clock: systemClock, logger: silentLogger });
for (let id = Number(first); id < Number(first) + Number(count); id++) {
  await store.change(file, (items) =>
    joined([...items, favourite({ company_key: 'A', report_id: id }, { note: '', tags: [] })]),
  );
}
store.dispose();
