import * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import { Channel } from '../../base/rpc.ts';
import { type UsageView, usageProtocol, usageStateSchema } from '../../protocol/usage.ts';
import { type MonthUsage, usageText, usageView } from '../../protocol/usageView.ts';
import { panelViewTypes } from '../common/contributions.ts';
import type { PanelContext } from './context.ts';
import { type OpenPanel, PanelHost } from './panelHost.ts';
import type { TextDocuments } from './textDocuments.ts';

/** How often the panel looks whether this window asked for something, in ms. */
const lookInterval = 2_000;

/** Opens the usage panel; there is one. */
export function usageHost(context: PanelContext, documents: TextDocuments): PanelHost<'usage', unknown> {
  return new PanelHost<'usage', unknown>(
    {
      viewType: panelViewTypes.usage,
      bundle: 'usage',
      title: vscode.l10n.t('Usage'),
      icon: 'graph',
      state: usageStateSchema,
      keyOf: () => 'usage',
      connect: (panel) => new UsagePanel(panel, context, documents),
    },
    context,
  );
}

/** The editor's side of the usage panel: the service's count once, this window's own as it goes on. */
class UsagePanel {
  readonly #panel: OpenPanel;
  readonly #context: PanelContext;
  readonly #documents: TextDocuments;
  readonly #channel: Channel<typeof usageProtocol.host, typeof usageProtocol.page>;
  #month: MonthUsage = { kind: 'reading' };
  #isRead = false;
  #shown = '';
  #view: UsageView | undefined;

  constructor(panel: OpenPanel, context: PanelContext, documents: TextDocuments) {
    this.#panel = panel;
    this.#context = context;
    this.#documents = documents;
    this.#channel = panel.store.add(
      new Channel({
        port: panel.port,
        mine: usageProtocol.host,
        theirs: usageProtocol.page,
        explain: (error) => context.explain(error),
        log: context.log,
        handlers: {
          calls: { viewAsText: () => this.#viewAsText(), viewAsJson: () => this.#viewAsJson() },
          events: { ready: () => this.#ready(), retry: () => void this.#read() },
        },
      }),
    );
    const timer = setInterval(() => void this.#show(), lookInterval);
    panel.store.add({ dispose: () => clearInterval(timer) });
    panel.store.add(
      context.onDidChange(({ kind }) => {
        if (kind === 'session' && this.#isRead) void this.#read();
      }),
    );
  }

  #ready(): void {
    // A page that was hidden knows nothing any more.
    this.#shown = '';
    void this.#show();
    if (!this.#isRead) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isRead = true;
    this.#month = { kind: 'reading' };
    await this.#show();
    try {
      this.#month = { kind: 'read', usage: await this.#context.readUsage(this.#panel.signal) };
    } catch (error) {
      if (isAbortError(error)) return;
      this.#context.log.warn('Usage could not be read for its panel.');
      this.#month = { kind: 'failed', message: this.#context.explain(error) };
    }
    await this.#show();
  }

  /** Sends what is known, when it says something new. */
  async #show(): Promise<void> {
    try {
      const spent = await this.#context.spent();
      this.#view = usageView({ ...spent, month: this.#month }, vscode.env.language);
    } catch (error) {
      if (this.#panel.isDisposed) return;
      this.#view = undefined;
      this.#shown = '';
      this.#channel.send('problem', { message: this.#context.explain(error) });
      return;
    }
    const shown = JSON.stringify(this.#view);
    if (this.#panel.isDisposed || shown === this.#shown) return;
    this.#shown = shown;
    this.#channel.send('show', this.#view);
  }

  async #viewAsText(): Promise<null> {
    await this.#documents.show('Usage.txt', usageText(this.#known()));
    return null;
  }

  async #viewAsJson(): Promise<null> {
    const raw = this.#month.kind === 'read' ? this.#month.usage.raw : null;
    const { works, minutes, refused, failed, since } = this.#known();
    const shown = { service: raw, window: { since, works, refused, failed, minutes } };
    await this.#documents.show('Usage.json', `${JSON.stringify(shown, null, 2)}\n`);
    return null;
  }

  #known(): UsageView {
    if (!this.#view) throw new Error(vscode.l10n.t('The numbers are not there yet.'));
    return this.#view;
  }
}
