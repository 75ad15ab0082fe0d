import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { readPdfs } from '../../../src/app/events.ts';
import { Emitter } from '../../../src/base/disposable.ts';

const nothing = () => ({ dispose() {} });

describe('the start of reading PDFs', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  it('is tried again at the next occasion, and looks for text that was left where nobody is signed in', async () => {
    const sessions = new Emitter<void>();
    const services = { session: { kind: 'unknown' }, onDidChangeSession: sessions.event };
    let asked = 0;
    const warned: string[] = [];
    const app = {
      services,
      log: { warn: (text: string) => warned.push(text) },
      downloads: { onDidChange: nothing },
      onDidRemoveLibrary: nothing,
    };
    const index = {
      async exists() {
        asked += 1;
        if (asked === 1) throw new Error('The disk is away.');
        return false;
      },
    };
    const registered = readPdfs({ app, index: { get: async () => index }, text: {} } as unknown as Parameters<
      typeof readPdfs
    >[0]);
    const occasion = async () => {
      sessions.fire();
      mock.timers.tick(5_000);
      await new Promise((resolve) => setImmediate(resolve));
    };
    await occasion();
    assert.equal(asked, 0);
    services.session = { kind: 'signedOut' };
    await occasion();
    assert.deepEqual([asked, warned.length], [1, 1]);
    await occasion();
    assert.deepEqual([asked, warned.length], [2, 1]);
    registered.dispose();
  });
});
