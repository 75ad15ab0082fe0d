import assert from 'node:assert/strict';
import { linkSignals } from '../../../src/base/clock.ts';

describe('linkSignals', () => {
  it('aborts with the reason of the first signal that does', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const { signal } = linkSignals(one.signal, undefined, two.signal);
    two.abort('why');
    one.abort('too late');
    assert.equal(signal.reason, 'why');
  });

  it('is aborted from the start when a signal is', () => {
    assert.equal(linkSignals(undefined, AbortSignal.abort('before')).signal.reason, 'before');
  });

  it('no longer listens once unlinked', () => {
    const one = new AbortController();
    const { signal, unlink } = linkSignals(one.signal);
    unlink();
    one.abort();
    assert.equal(signal.aborted, false);
  });
});
