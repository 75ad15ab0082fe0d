import * as vscode from 'vscode';
import type { Usage } from '../../api/schemas/meta.ts';
import { isAbortError } from '../../base/clock.ts';
import type { Channel } from '../../base/rpc.ts';
import { type MonthUsage, type Spent, type UsageView, usageProtocol, usageView } from '../../protocol/usage.ts';
import { type OpenPanel, openChannel, pageProblem } from './panel.ts';

/** How often the panel looks whether this window asked for something, in ms. */
const lookInterval = 2_000;

export interface UsagePanelPorts {
  /** Reads the service's own count for the key. May throw an `ApiError`. */
  readUsage(signal: AbortSignal): Promise<Usage>;
  /** What this window asked of the service in use. Throws an `ApiError` when nobody is signed in. */
  spent(): Promise<Spent>;
}

/** The editor's side of the usage panel: the service's count once, this window's own as it goes on. */
export class UsagePanel {
  readonly #panel: OpenPanel;
  readonly #ports: UsagePanelPorts;
  readonly #channel: Channel<typeof usageProtocol.host, typeof usageProtocol.page>;
  #month: MonthUsage = { kind: 'reading' };
  /** Which reading is the latest; 0 before the first. The answer to an earlier one is another connection's. */
  #reading = 0;
  #shown = '';
  #view: UsageView | undefined;

  constructor(panel: OpenPanel, ports: UsagePanelPorts) {
    this.#panel = panel;
    this.#ports = ports;
    this.#channel = openChannel(panel, usageProtocol, {
      calls: {
        viewAsJson: () => this.#viewAsJson(),
      },
      events: { ready: () => this.#ready(), retry: () => void this.#read() },
    });
    const timer = setInterval(() => void this.#show(), lookInterval);
    panel.store.add({ dispose: () => clearInterval(timer) });
    panel.store.add(
      panel.onDidChange(({ kind }) => {
        if (kind === 'session' && this.#reading > 0) void this.#read();
      }),
    );
  }

  #ready(): void {
    // A page that was hidden knows nothing any more.
    this.#shown = '';
    void this.#show();
    if (this.#reading === 0) void this.#read();
  }

  async #read(): Promise<void> {
    const reading = ++this.#reading;
    this.#month = { kind: 'reading' };
    await this.#show();
    try {
      const usage = await this.#ports.readUsage(this.#panel.signal);
      const { ledger } = await this.#ports.spent();
      if (reading !== this.#reading) return;
      this.#month = { kind: 'read', usage, spent: { ...ledger.totals } };
    } catch (error) {
      if (reading !== this.#reading || isAbortError(error)) return;
      this.#panel.log.warn('Usage could not be read for its panel.');
      this.#month = { kind: 'failed', message: this.#panel.explain(error) };
    }
    await this.#show();
  }

  /** Sends what is known, when it says something new. */
  async #show(): Promise<void> {
    try {
      const spent = await this.#ports.spent();
      this.#view = usageView({ ...spent, month: this.#month }, vscode.env.language);
    } catch (error) {
      if (this.#panel.signal.aborted) return;
      this.#view = undefined;
      this.#shown = '';
      this.#channel.send('problem', pageProblem(this.#panel, error));
      return;
    }
    const shown = JSON.stringify(this.#view);
    if (this.#panel.signal.aborted || shown === this.#shown) return;
    this.#shown = shown;
    this.#channel.send('show', this.#view);
  }

  #viewAsJson(): Promise<void> {
    const raw = this.#month.kind === 'read' ? this.#month.usage.raw : null;
    const { works, minutes, refused, failed, since } = this.#known();
    const shown = { service: raw, window: { since, works, refused, failed, minutes } };
    return this.#panel.showText('Usage.json', `${JSON.stringify(shown, null, 2)}\n`);
  }

  #known(): UsageView {
    if (!this.#view) throw new Error(vscode.l10n.t('The numbers are still loading.'));
    return this.#view;
  }
}
