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

  it('does not look again and again for what fails, before a person tries again', async () => {
    const { month: _, ...spent } = busyHour();
    let asked = 0;
    let isGone = false;
    const client = { usage: async () => ({ requests: 1, downloads: 0, raw: {} }), rate: spent.rate };
    const ledger = { read: () => spent.ledger };
    const call = async (work: (of: unknown) => unknown) => {
      asked += 1;
      if (isGone) throw new Error('Nobody is signed in.');
      return work({ ...client, ledger });
    };
    const { panel, say, close } = openPanel();
    const { setInterval: usual } = globalThis;
    let look = (): void => undefined;
    const countOf = async (act: () => void) => {
      asked = 0;
      act();
      await settled();
      await settled();
      return asked;
    };
    const tell = (name: string) => () => say({ kind: 'event', name, data: null });
    try {
      globalThis.setInterval = ((run: () => void) => {
        look = run;
      }) as unknown as typeof setInterval;
      usagePanel(panel, { services: { session: {}, call }, log: silentLogger } as unknown as Ports);
    } finally {
      Object.assign(globalThis, { setInterval: usual });
    }
    await countOf(tell('ready'));
    assert.equal(await countOf(look), 1);
    isGone = true;
    assert.equal(await countOf(look), 1);
    assert.equal(await countOf(look), 0);
    isGone = false;
    assert.notEqual(await countOf(tell('retry')), 0);
    assert.equal(await countOf(look), 1);
    close();
  });
});
