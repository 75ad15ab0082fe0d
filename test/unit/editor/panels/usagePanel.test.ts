import assert from 'node:assert/strict';
import type { Usage } from '../../../../src/api/schemas/meta.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { usagePanel } from '../../../../src/editor/panels/usagePanel.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';
import { busyHour } from '../../../support/panels/usage.ts';

type Ports = Parameters<typeof usagePanel>[1];

describe('the usage panel', () => {
  it('shows no figures that were asked for another connection', async () => {
    const { month: _, ...spent } = busyHour();
    const answers: ((usage: Usage) => void)[] = [];
    const client = {
      usage: () => new Promise<Usage>((resolve) => answers.push(resolve)),
      rate: spent.rate,
      ledger: { read: () => spent.ledger },
    };
    const services = { session: {}, call: async (work: (of: typeof client) => unknown) => work(client) };
    const { panel, say, change, last, close } = openPanel();
    usagePanel(panel, { services, log: silentLogger } as unknown as Ports);
    const usage = (requests: number): Usage => ({ requests, downloads: 0, raw: { requests } });
    say({ kind: 'event', name: 'ready', data: null });
    await settled();
    change({ kind: 'session' });
    await settled();
    answers[1]?.(usage(22_222));
    await settled();
    answers[0]?.(usage(11_111));
    await settled();
    close();
    assert.match(JSON.stringify(last('show')), /22,222/);
    assert.doesNotMatch(JSON.stringify(last('show')), /11,111/);
  });
});
