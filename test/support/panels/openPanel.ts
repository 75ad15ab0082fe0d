import { DisposableStore, Emitter } from '../../../src/base/disposable.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { DataChange } from '../../../src/editor/panels/context.ts';
import type { OpenPanel } from '../../../src/editor/panels/panel.ts';

type Message = Readonly<Record<string, unknown>>;

/** A panel without its editor: what the page is told is kept, and the page's messages are said by the test. */
export function openPanel() {
  const store = new DisposableStore();
  const changes = store.add(new Emitter<DataChange>());
  const fromPage = store.add(new Emitter<unknown>());
  const told: Message[] = [];
  const ended = new AbortController();
  const nothing = async () => {};
  let isVisible = true;
  const panel: OpenPanel = {
    port: { post: (message) => void told.push(message as Message), onMessage: fromPage.event },
    store,
    signal: ended.signal,
    isVisible: () => isVisible,
    setTitle: () => {},
    log: silentLogger,
    onDidChange: changes.event,
    explain: (error) => (error instanceof Error ? error.message : String(error)),
    ...{
      open: nothing,
      showText: nothing,
      diffTexts: nothing,
      copy: nothing,
    },
  };
  return {
    panel,
    /** Says what the page would. */
    say: (message: Message) => fromPage.fire(message),
    change: (change: DataChange) => changes.fire(change),
    /** All that the page was told, in order. */
    told: told as readonly Message[],
    /** What the page was told last by an event of this name. */
    last: (name: string) => told.findLast((message) => message.name === name)?.data as Message | undefined,
    /** The tab comes into sight, or goes out of it. */
    show: (isShown: boolean) => {
      isVisible = isShown;
    },
    close() {
      ended.abort();
      store.dispose();
    },
  };
}

/** Lets what waits for nothing but promises go on. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
