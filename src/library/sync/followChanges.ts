import type { ChangesFrom } from '../../api/schemas/report.ts';
import { l10n } from '../../base/l10n.ts';
import { LibraryError } from '../libraryError.ts';
import { startAfterRefusal } from './decisions.ts';
import { inBackground, type Run } from './run.ts';
import type { SyncRecord } from './syncRecord.ts';

/**
 * Reads the change feed to its end, each page stored with its cursor (CHG-2). With nothing new that is one request. A
 * refused cursor leads back to an hour before the last known change, and to a full walk for what may have been missed;
 * when that is refused too, to no place at all, and the walk finds a new one. Throws `unreadable-page` for a feed that
 * leads back into itself, and the refusal of one that refuses its own new cursors: either would be asked for ever.
 */
export async function followChanges(run: Run): Promise<void> {
  run.report({ activity: 'following' });
  let record = await run.library.syncRecord();
  let seen = new Set<string>();
  let refused = false;
  for (;;) {
    const from = startOf(record);
    if (!from) return;
    run.signal.throwIfAborted();
    const cursor = 'cursor' in from ? from.cursor : null;
    try {
      const incoming = await run.source.changesPage(from, inBackground(run));
      const taken = await run.library.takeChanges({ incoming, cursor, generation: run.generation });
      run.count(taken.counts);
      if (!taken.has_more) return;
      if (taken.next_cursor === null) return;
      if (seen.has(taken.next_cursor))
        throw new LibraryError('unreadable-page', l10n.t('The change feed repeats an earlier page. Sync again later.'));
      seen.add(taken.next_cursor);
    } catch (error) {
      if (!run.source.isRefusal(error) || (refused && cursor !== null)) throw error;
      refused = true;
      seen = new Set();
      run.logger.warn(`The change feed refused its ${cursor === null ? 'starting time' : 'cursor'}.`);
      const since = cursor === null ? null : startAfterRefusal(record);
      await run.library.updateSync({ cursor: null, since, walkOwed: true }, run.generation);
    }
    record = await run.library.syncRecord();
  }
}

function startOf(record: SyncRecord): ChangesFrom | null {
  if (record.cursor !== null) return { cursor: record.cursor };
  return record.since === null ? null : { since: record.since };
}
