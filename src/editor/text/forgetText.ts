import type { TextIndex } from '../../text/textIndex.ts';
import type { LibraryInUse, TextPorts } from './ports.ts';
import { publishedIn } from './published.ts';

/**
 * Deletes the text that no library on this machine publishes any more: of withdrawn reports, of a licence that ended, of a
 * connection that was removed. False when nothing could be decided, since a library can't be asked now or another
 * connection came into use meanwhile; it is to be tried again then.
 * @param own the library in use, undefined while nobody is signed in
 */
export async function forgetUnpublished(
  { services, publishedElsewhere }: Pick<TextPorts, 'services' | 'publishedElsewhere'>,
  index: Pick<TextIndex, 'held' | 'forget'>,
  own: LibraryInUse | undefined,
): Promise<boolean> {
  const held = await index.held();
  const here = own && (await publishedIn(own.library, held));
  const left = held.filter((sha256) => !here?.has(sha256));
  if (left.length === 0) return true;
  const { published, complete } = await publishedElsewhere(left, own);
  const isSame = own ? services.isInUse(own.connection) : !('connection' in services.session);
  if (!complete || !isSame) return false;
  const kept = new Set(published);
  await index.forget(left.filter((sha256) => !kept.has(sha256)));
  return true;
}
