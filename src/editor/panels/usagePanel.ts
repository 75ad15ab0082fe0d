import * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import { type MonthUsage, type Spent, type UsageView, usageProtocol, usageView } from '../../protocol/usage.ts';
import { type OpenPanel, type PanelPorts, showWhole, type Whole } from './panel.ts';

/** How often the panel looks whether this window asked for something, in ms. */
const lookInterval = 2_000;

type UsagePanelPorts = Pick<PanelPorts, 'services' | 'log'>;

/** The editor's side of the usage panel: the service's count once, this window's own as it goes on. */
export function usagePanel(panel: OpenPanel, ports: UsagePanelPorts): void {
  let month: MonthUsage = { kind: 'reading' };
  let isAsked = false;
  /** Which question is the latest: the answer to an earlier one is another connection's. */
  let question = 0;
  /** A lasting failure is told once: nothing is looked at again before a person asks, or another session begins. */
  let hasFailed = false;
  const look = async () => {
    hasFailed = (await whole.reading.read()) !== undefined;
  };
  const ask = async () => {
    const mine = ++question;
    isAsked = true;
    month = { kind: 'reading' };
    try {
      const options = { signal: panel.signal, priority: 'interactive' } as const;
      const usage = await ports.services.call((client) => client.usage(options));
      const { ledger } = await spent(ports);
      if (mine !== question) return;
      month = { kind: 'read', usage, spent: { ...ledger.totals } };
    } catch (error) {
      if (mine !== question || isAbortError(error)) return;
      panel.log.warn('Usage could not be read for its panel.');
      month = { kind: 'failed', message: panel.explain(error) };
    }
    await look();
  };
  const whole: Whole<typeof usageProtocol, UsageView> = showWhole(panel, usageProtocol, {
    calls: {
      viewAsJson: () => {
        const { works, minutes, refused, failed, since } = whole.reading.known();
        const service = month.kind === 'read' ? month.usage.raw : null;
        const shown = { service, window: { since, works, refused, failed, minutes } };
        return panel.showText('Usage.json', `${JSON.stringify(shown, null, 2)}\n`);
      },
    },
    events: {
      retry() {
        isAsked = false;
        void look();
      },
    },
    view: (view) => view,
    async read() {
      if (!isAsked) void ask();
      return usageView({ ...(await spent(ports)), month }, vscode.env.language);
    },
    follows({ kind }) {
      if (kind !== 'session') return false;
      isAsked = false;
      hasFailed = false;
      return 'now';
    },
    failed: 'What this window asked for could not be read.',
    missing: vscode.l10n.t('The numbers are still loading.'),
  });
  const timer = setInterval(() => {
    if (whole.reading.content && !hasFailed) void look();
  }, lookInterval);
  panel.store.add({ dispose: () => clearInterval(timer) });
}

/** What this window asked of the service in use. Throws an `ApiError` when nobody is signed in. */
function spent({ services, log }: UsagePanelPorts): Promise<Spent> {
  return services.call(async (client) => {
    const { session } = services;
    const connection = 'connection' in session ? session.connection.name : '';
    const { assistantDownloads } = await import('../common/assistantDownloads.ts');
    const assistants = await assistantDownloads(log).spending();
    return { connection, assistants, rate: client.rate, ledger: client.ledger.read() };
  });
}
