import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import { registerCommands } from '../common/commands.ts';
import { textCommands, viewIds } from '../common/contributions.ts';
import { registerTree } from '../common/lazyTree.ts';
import { problemText } from '../common/messages.ts';
import type { PdfHitsNode } from './hitItems.ts';
import type { PdfHitsTree } from './hitsTree.ts';
import type { PdfText } from './pdfText.ts';
import type { TextPorts } from './ports.ts';

/** Wait after a session or a download, in ms, before PDFs begin to be read. */
const restAtStart = 5_000;

export interface TextApi extends Disposable {
  readonly text: () => Promise<PdfText>;
}

/** Find in PDFs: its commands, its view, and the reading of PDFs, which begins a while after sign-in is known. */
export function registerText(ports: TextPorts): TextApi {
  const { log, services, treeDrag, files, onDidRemoveLibrary } = ports;
  const store = new DisposableStore();
  const text = once(async (): Promise<PdfText> => {
    const { PdfText } = await import('./pdfText.ts');
    const made = new PdfText(ports);
    try {
      await made.start();
    } catch (error) {
      made.dispose();
      throw error;
    }
    return store.add(made);
  });
  const view = registerTree<PdfHitsNode, PdfHitsTree>(
    viewIds.pdfHits,
    treeDrag,
    { showCollapseAll: true },
    async (shown) => {
      const { PdfHitsTree } = await import('./hitsTree.ts');
      return new PdfHitsTree(await text.get(), shown, log);
    },
  );
  store.add(view.store);
  const commands = once(async () => {
    const { openText } = await import('./commands.ts');
    return store.add(openText({ ports, text: await text.get(), tree: await view.tree.tree() }));
  });
  store.add(registerCommands(textCommands, log, () => commands.get()));
  let timer: NodeJS.Timeout | undefined;
  store.add({ dispose: () => clearTimeout(timer) });
  const start = async () => {
    try {
      // Where nobody is signed in, text that was left may have to go.
      if ('connection' in services.session || (await ports.hasIndex())) await text.get();
    } catch (error) {
      log.warn(`PDFs are not read: ${problemText(error)}`);
    }
    timer = undefined;
  };
  const startSoon = () => {
    if (text.made || services.session.kind === 'unknown') return;
    timer ??= setTimeout(start, restAtStart);
  };
  store.add(services.onDidChangeSession(startSoon));
  store.add(files.onDidChange(startSoon));
  store.add(
    onDidRemoveLibrary(() => {
      const forget = async () => (await text.get()).forgetUnpublished();
      forget().catch((error: unknown) => log.error(`The text of PDFs could not be deleted: ${problemText(error)}`));
    }),
  );
  return { text: () => text.get(), dispose: () => store.dispose() };
}
