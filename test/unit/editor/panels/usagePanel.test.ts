import assert from 'node:assert/strict';
import { UsagePanel, type UsagePanelPorts } from '../../../../src/editor/panels/usagePanel.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';
import { busyHour } from '../../../support/panels/usage.ts';

type Usage = Awaited<ReturnType<UsagePanelPorts['readUsage']>>;

describe('the usage panel', () => {
  it('shows no figures that were asked for another connection', async () => {
    const { month: _, ...spent } = busyHour();
    const answers: ((usage: Usage) => void)[] = [];
    const { panel, say, change, last, close } = openPanel();
    new UsagePanel(panel, {
      readUsage: () => new Promise((resolve) => answers.push(resolve)),
      spent: async () => spent,
    });
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
