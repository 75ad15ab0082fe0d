import { openSync, readSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { openLibrary } from '../src/library/library.ts';

/**
 * A first load in a process of its own: the main thread hands over pages as the network brings them, four at a time,
 * the library's thread stores them. Prints the most memory meanwhile and what is left afterward, in MB. Without a
 * library it does nothing and prints the same.
 */
const [pages = '', pageBytes = '', database = '', worker = ''] = process.argv.slice(2);
const megabytes = () => process.memoryUsage.rss() / 1024 / 1024;
/** The thread clears up two seconds after the last page, and V8 gives freed pages back some eight seconds later. */
const calm = () => new Promise((resolve) => setTimeout(resolve, 15_000));

let most = megabytes();
const library = database === '' ? null : openLibrary({ path: database, worker: pathToFileURL(worker) });
if (library) {
  const generation = await library.beginRun();
  const walk = { kind: 'first', startedAt: 0, watchlist: true, unreadable: 0 } as const;
  await library.beginWalk({ phase: 'loading', walk }, [{}], generation);
  const file = openSync(pages, 'r');
  const lengths = pageBytes.split(',').map(Number);
  const underway = new Set<Promise<unknown>>();
  let at = 0;
  for (const length of lengths) {
    const bytes = new Uint8Array(length);
    readSync(file, bytes, 0, length, at);
    at += length;
    const taken = library
      .takeReports({ incoming: { body: bytes, serverTime: null }, chain: { id: 1, cursor: null }, generation })
      .finally(() => underway.delete(taken));
    underway.add(taken);
    if (underway.size >= 4) await Promise.race(underway);
    most = Math.max(most, megabytes());
  }
  await Promise.all(underway);
  await library.updateSync({ phase: 'following', walk: null }, generation);
  most = Math.max(most, megabytes());
}
await calm();
process.stdout.write(JSON.stringify({ loading: Math.max(most, megabytes()), after: megabytes() }));
await library?.dispose();
