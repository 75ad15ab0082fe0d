import { subscribe } from 'node:diagnostics_channel';
import { createClient } from '../../../src/api/client.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Secret } from '../../../src/base/secret.ts';
import { machineState } from '../../../src/machine/machineState.ts';

// A window of the editor, reduced to its client: asks as often and as much at once as it may, until it is told to end.
// With `health` it also asks for what costs nothing of the key's minute, so that a test sees it is still at work. With
// `busy` it is held up now and then as on a busy machine, and tells when each request really went out.
const [baseUrl = '', directory = '', mode] = process.argv.slice(2);
const client = createClient({
  baseUrl,
  key: new Secret('abc_live_0123456789abcdef'),
  authentication: 'bearer',
  userAgent: `window-${process.pid}`,
  budget: machineState({ directory, clock: systemClock, logger: silentLogger }),
});

async function ask(): Promise<void> {
  for (;;) await client.usage({ priority: 'background' });
}

async function askHealth(): Promise<void> {
  for (;;) await client.health({ priority: 'background' });
}

function holdUp(): void {
  const until = performance.now() + Math.random() * 60;
  while (performance.now() < until);
  setTimeout(holdUp, Math.random() * 120);
}

process.on('message', () => {
  client.dispose();
  process.exit();
});
process.send?.('ready');
if (mode === 'busy') {
  subscribe('undici:client:sendHeaders', () => process.send?.(performance.timeOrigin + performance.now()));
  holdUp();
}
// Each ends with the client.
await Promise.allSettled([...Array.from({ length: 12 }, ask), ...(mode === 'health' ? [askHealth()] : [])]);
