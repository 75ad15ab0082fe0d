import type { Company } from '../schemas/company.ts';
import type { Page } from '../schemas/page.ts';
import { readWatchlistItem } from '../schemas/watchlistItem.ts';
import type { ListOptions, Service } from '../transport/call.ts';
import { pages } from '../transport/pages.ts';

/** The largest page of `GET /watchlist`. */
export const watchlistPageLimit = 500;

/** `GET /watchlist`: the licensed companies, page by page (WL-1). */
export function listWatchlist(service: Service, options: ListOptions = {}): AsyncIterable<Page<Company>> {
  return pages(
    service,
    { route: '/watchlist', query: {}, largest: watchlistPageLimit, read: readWatchlistItem },
    options,
  );
}
