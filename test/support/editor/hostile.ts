import assert from 'node:assert/strict';
import type { TestHandles } from '../../../src/extension.ts';
import type { TestDemo } from '../demo/testDemo.ts';

/** Nobody was signed in or asked, and the key goes where it was given for, in the user's header, by no proxy. */
export async function assertUserSettingsHold({ services }: TestHandles, start: () => Promise<TestDemo>): Promise<void> {
  assert.deepEqual(await services.ready(), { kind: 'signedOut' });
  const demo = await start();
  try {
    await services.call((client) => client.entitlements());
    const [seen] = demo.control.log.to('GET /entitlements');
    assert.equal(seen?.status, 200);
    assert.ok(seen.headers.authorization !== undefined);
    assert.equal(seen.headers['x-api-key'], undefined);
  } finally {
    services.connect(null);
    await demo.dispose();
  }
}
