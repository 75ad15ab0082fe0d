import assert from 'node:assert/strict';
import type { Session } from '../../../../src/app/session.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { supportInformation } from '../../../../src/editor/status/supportInformation.ts';

const key = new Secret('abc_demo_live_0SECRETSECRETSECRET');
const session: Session = {
  kind: 'signedIn',
  connection: { id: 'one', name: 'One', baseUrl: 'https://user-path.example:8443/api/v2', key, isDemo: false },
};

describe('support information', () => {
  it('names versions, the origin, and of the key its first 15 characters alone', () => {
    const text = supportInformation(session, ['Report Library 1.2.3'], []);
    assert.deepEqual(text.split('\n'), [
      'Report Library 1.2.3',
      'Session: signedIn',
      'Service: https://user-path.example:8443',
      'Key begins with: abc_demo_live_0',
      'Latest failures: none',
      '',
    ]);
    assert.ok(!text.includes(key.reveal().slice(0, 16)));
  });

  it('shows nothing of a key that is no longer than what may be shown', () => {
    const short: Session = { ...session, connection: { ...session.connection, key: new Secret('abc_live_0') } };
    assert.ok(!supportInformation(short, [], []).includes('abc_live'));
  });

  it('names the latest failures by the service’s own numbers', () => {
    const problem = { kind: 'temporary', status: 503, requestId: 'req-1', cause: 'c', nextStep: 'n' } as const;
    const network = { kind: 'network', cause: 'c', nextStep: 'n' } as const;
    const at = Date.UTC(2026, 0, 2, 3, 4, 5);
    const text = supportInformation(
      { kind: 'signedOut' },
      [],
      [
        { at, problem },
        { at, problem: network },
      ],
    );
    assert.match(text, /2026-01-02T03:04:05\.000Z temporary 503 req-1\n/);
    assert.match(text, /2026-01-02T03:04:05\.000Z network - -\n/);
  });
});
