import { Channel, type Handlers, type Side } from '../../base/rpc.ts';
import { announce, announceFailure } from './announce.ts';
import { editorPort, messageOf, pageLog } from './editorApi.ts';

/** Opens the page's end of a conversation. */
export function openPageChannel<Page extends Side, Host extends Side>(
  protocol: { readonly page: Page; readonly host: Host },
  handlers: Handlers<Page>,
): Channel<Page, Host> {
  return new Channel({
    port: editorPort,
    mine: protocol.page,
    theirs: protocol.host,
    handlers,
    explain: messageOf,
    log: pageLog,
  });
}

/** Waits for what a person asked for; tells when it is done, or why it did not work. */
export async function act(work: Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work;
    if (done !== undefined) announce(done);
    return true;
  } catch (error) {
    announceFailure(messageOf(error));
    return false;
  }
}
