import * as vscode from 'vscode';
import { type UsageFacts, type UsageView, usageProtocol, usageView } from '../../protocol/usage.ts';
import { assistantDownloads } from '../common/assistantDownloads.ts';
import { type OpenPanel, showWhole, type Whole } from './panel.ts';
import type { PanelPorts } from './ports.ts';

type UsagePanelPorts = Pick<PanelPorts, 'services' | 'log'>;

/** The editor's side of the usage panel: the service's own count, read once and with each refresh. */
export function usagePanel(panel: OpenPanel, ports: UsagePanelPorts): void {
  const whole: Whole<typeof usageProtocol, UsageFacts> = showWhole(panel, usageProtocol, {
    calls: {
      viewAsJson: () =>
        panel.showText('Usage.json', `${JSON.stringify(whole.reading.known().usage.raw, null, 2) ?? 'null'}\n`),
    },
    events: { retry: () => void whole.reading.readElse() },
    view: (facts): UsageView => usageView(facts, vscode.env.language),
    read: () => readUsage(panel, ports),
    follows: ({ kind }) => kind === 'session' && 'now',
    failed: 'Usage could not be read for its panel.',
  });
}

/** Asks the service in use for its count. Throws an `ApiError` when nobody is signed in. */
function readUsage({ signal }: OpenPanel, { services, log }: UsagePanelPorts): Promise<UsageFacts> {
  return services.call(async (client) => {
    const usage = await client.usage({ signal });
    const { session } = services;
    const connection = 'connection' in session ? session.connection.name : '';
    return { connection, usage, rate: client.rate, assistants: await assistantDownloads(log).spending() };
  });
}
