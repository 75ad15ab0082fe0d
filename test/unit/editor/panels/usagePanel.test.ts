import assert from 'node:assert/strict';
import type { Usage } from '../../../../src/api/schemas/meta.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { usagePanel } from '../../../../src/editor/panels/commands.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';

type Ports = Parameters<typeof usagePanel>[1];

const rate = { limit: null, remaining: null };
/** Waits until the page got another event of this name. */
async function next({ told }: Pick<ReturnType<typeof openPanel>, 'told'>, name: string): Promise<unknown> {
  const before = told.length;
  for (let turn = 0; turn < 100; turn++) {
    const event = told.slice(before).find((message) => message.name === name);
    if (event) return event.data;
    await settled();
  }
  return undefined;
}

const usageOf = (requests: number): Usage => ({ requests, downloads: 0, raw: { requests } });

describe('the usage panel', () => {
  it('shows no figures that were asked for another connection', async () => {
    const answers: ((usage: Usage) => void)[] = [];
    const client = { usage: () => new Promise<Usage>((resolve) => answers.push(resolve)), rate };
    const services = { session: {}, call: async (work: (of: typeof client) => unknown) => work(client) };
    const opened = openPanel();
    const { panel, say, change, last, close } = opened;
    usagePanel(panel, { services, log: silentLogger } as unknown as Ports);
    say({ kind: 'event', name: 'ready', data: null });
    await settled();
    change({ kind: 'session' });
    await settled();
    answers[1]?.(usageOf(22_222));
    await next(opened, 'show');
    answers[0]?.(usageOf(11_111));
    await settled();
    close();
    assert.match(JSON.stringify(last('show')), /22,222/);
    assert.doesNotMatch(JSON.stringify(last('show')), /11,111/);
  });

  it('says why a refresh failed, and reads again when a person tries again', async () => {
    let isGone = false;
    const client = { usage: async () => usageOf(33_333), rate };
    const call = async (work: (of: typeof client) => unknown) => {
      if (isGone) throw new Error('Nobody is signed in.');
      return work(client);
    };
    const opened = openPanel();
    const { panel, say, close } = opened;
    usagePanel(panel, { services: { session: {}, call }, log: silentLogger } as unknown as Ports);
    const tell = (name: string) => say({ kind: 'event', name, data: null });
    tell('ready');
    assert.match(JSON.stringify(await next(opened, 'show')), /33,333/);
    isGone = true;
    say({ kind: 'call', id: 1, name: 'act', params: { act: 'refresh' } });
    assert.match(JSON.stringify(await next(opened, 'problem')), /Nobody is signed in/);
    isGone = false;
    tell('retry');
    assert.match(JSON.stringify(await next(opened, 'show')), /33,333/);
    close();
  });
});
