import * as vscode from 'vscode';
import { isAbortError, Soon, unlessAborted } from '../../base/clock.ts';
import {
  type ColumnUse,
  countedUse,
  countingUse,
  dictionaryBlocks,
  dictionaryGroups,
  type LiveDictionary,
} from '../../panels/dictionary.ts';
import { runCommand } from '../common/commands.ts';
import { openBlocks } from './blocksPanel.ts';
import type { PanelPorts } from './context.ts';
import type { OpenPanel } from './panel.ts';
import type { PanelDocument } from './panelEditors.ts';

/** A library of so many reports is counted within about a second. */
const countedAtOnce = 30_000;
/** Shortest time between two messages about the progress of counting, in ms. */
const progressInterval = 150;

/** The editor's side of the schema dictionary. Shows the built-in dictionary at once, the service's when it came. */
export function schemaPanel(
  panel: OpenPanel,
  { services }: PanelPorts,
  document: Pick<PanelDocument<'schema'>, 'input' | 'onDidTakeInput'>,
): void {
  let live: LiveDictionary = { kind: 'reading' };
  let use: ColumnUse = { kind: 'none' };
  let isReady = false;
  let isSmall = false;
  let counting: AbortSignal | undefined;
  /** Aborts with the panel, and when another connection is in use. */
  let connected = new AbortController();
  /** What a page went to, which does not go there again when it is made anew. */
  let revealed: { readonly column: string } | undefined;

  const show = (change: { readonly live?: LiveDictionary; readonly use?: ColumnUse }) => {
    ({ live = live, use = use } = change);
    page.show();
  };

  /** Works for the connection in use; another one ends it. */
  const run = async (work: (signal: AbortSignal) => Promise<void>, failed: (error: unknown) => void) => {
    const { signal } = connected;
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted && !isAbortError(error)) failed(error);
    }
  };

  const read = () =>
    run(
      async (signal) => {
        show({ live: { kind: 'reading' } });
        const asked = services.call((client) => client.schema({ signal, priority: 'interactive' }));
        show({ live: { kind: 'read', dictionary: await unlessAborted(asked, signal) } });
      },
      (error) => {
        panel.log.warn('The schema dictionary could not be read.');
        show({ live: { kind: 'failed', message: panel.explain(error) } });
      },
    );

  /** Counts a library at once where that takes a moment, and offers it where it takes longer. */
  const offerCount = () =>
    run(
      async (signal) => {
        const { library } = await services.library();
        const { listed } = await unlessAborted(library.withSignal(signal).totals(), signal);
        isSmall = listed <= countedAtOnce;
        if (isSmall) return count();
        const reports = new Intl.NumberFormat(vscode.env.language).format(listed);
        show({ use: { kind: 'offered', words: vscode.l10n.t('Your library has {0} reports.', reports) } });
      },
      // Without a library the dictionary is whole all the same; a failing one tells of itself where it is browsed.
      () => panel.log.debug('There is no library to count the columns of.'),
    );

  /** Counts slice after slice until done. Earlier counts stay meanwhile when it is quiet. */
  const count = (isQuiet = false) =>
    run(
      async (signal) => {
        if (counting === signal) return;
        counting = signal;
        let shownAt = Number.NEGATIVE_INFINITY;
        try {
          const library = (await services.library()).library.withSignal(signal);
          for (;;) {
            const { counted, total, fields } = await unlessAborted(library.fieldUse(), signal);
            if (fields) return show({ use: countedUse(counted, fields) });
            if (isQuiet || performance.now() - shownAt < progressInterval) continue;
            shownAt = performance.now();
            show({ use: countingUse(counted, total) });
          }
        } finally {
          if (counting === signal) counting = undefined;
        }
      },
      (error) => {
        panel.log.warn('The columns of the library could not be counted.');
        show({ use: { kind: 'failed', message: panel.explain(error) } });
      },
    );

  /** A page in a hidden tab misses what it is sent: the column stays wanted until a page says that it is ready. */
  const reveal = () => {
    const { input } = document;
    if (!isReady || !input || input === revealed) return;
    page.go({ row: input.column });
    if (panel.isVisible()) revealed = input;
  };

  const page = openBlocks(panel, {
    acts: {
      viewAsJson() {
        const shown = live.kind === 'read' ? live.dictionary.raw : dictionaryGroups(live);
        return panel.showText('Schema Dictionary.json', `${JSON.stringify(shown, null, 2)}\n`);
      },
      openFieldGuide: () => runCommand('openFieldGuide'),
      count: () => void count(),
    },
    ready() {
      const isFirst = !isReady;
      isReady = true;
      page.show();
      reveal();
      document.input = undefined;
      if (!isFirst) return;
      void read();
      void offerCount();
    },
    retry: () => void read(),
    view: () => ({ blocks: dictionaryBlocks(live, use) }),
  });
  // Recounts small libraries at once; counts of large ones show when they were made.
  const soon = panel.store.add(
    new Soon(async () => (use.kind === 'counted' ? isSmall && count(true) : await offerCount())),
  );
  panel.store.add(document.onDidTakeInput(reveal));
  panel.store.add({ dispose: () => connected.abort() });
  panel.store.add(
    panel.onDidChange((data) => {
      if (!isReady) return;
      if (data.kind === 'library' && data.change.reports.length > 0) soon.ask();
      if (data.kind !== 'session') return;
      // Another connection has another dictionary, and another library to count.
      connected.abort();
      connected = new AbortController();
      use = { kind: 'none' };
      void read();
      void offerCount();
    }),
  );
}
