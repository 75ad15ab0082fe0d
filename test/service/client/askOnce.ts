import { createClient } from '../../../src/api/client.ts';
import { Secret } from '../../../src/base/secret.ts';

// Run as a process of its own, because the system's certificates are read once in a process's life.
const [baseUrl = '', certificates] = process.argv.slice(2);
const client = createClient({
  baseUrl,
  key: new Secret('abc_live_0123456789abcdef'),
  authentication: 'bearer',
  userAgent: 'test',
  network: { systemCertificates: certificates === 'system' },
});
try {
  const { client_name } = await client.entitlements({ tries: 1 });
  process.stdout.write(`answered ${client_name}\n`);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : 'failed'}\n`);
} finally {
  client.dispose();
}
