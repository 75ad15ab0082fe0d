import assert from 'node:assert/strict';
import dns from 'node:dns';
import { createServer } from 'node:https';
import { createClient } from '../../../src/api/client.ts';
import type { DownloadLink } from '../../../src/api/schemas/report.ts';
import { Secret } from '../../../src/base/secret.ts';
import { issue, makeAuthority } from '../../support/certificates.ts';
import { closeServers, listen } from '../../support/localServer.ts';

describe('a link whose name leads to an address inside the network', () => {
  const { lookup } = dns;
  afterEach(async () => {
    Object.assign(dns, { lookup });
    await closeServers();
  });

  it('is fetched from the service’s own origin alone', async () => {
    const here = { address: '127.0.0.1', family: 4 } as const;
    const resolve = (_name: string, { all }: dns.LookupOptions, done: (...found: unknown[]) => void) =>
      all ? done(null, [here]) : done(null, here.address, here.family);
    Object.assign(dns, { lookup: resolve });
    const authority = await makeAuthority();
    const asked: (string | undefined)[] = [];
    const server = createServer(await issue(authority, ['reports.example', 'files.example']), (request, response) => {
      asked.push(request.headers.host);
      response.end('%PDF');
    });
    const { port } = await listen(server, []);
    const client = createClient({
      baseUrl: `https://reports.example:${port}/api/v2`,
      key: new Secret('abc_live_canary0123456789xyz'),
      authentication: 'bearer',
      userAgent: 'test',
      network: { extraCertificates: [authority.cert] },
    });
    const linkTo = (host: string): DownloadLink => {
      const url = new Secret(`https://${host}:${port}/a.pdf`);
      return { report_id: 1, url };
    };
    try {
      await assert.rejects(client.openLink(linkTo('files.example')), /The link to the file isn't allowed/);
      assert.deepEqual(asked, []);
      const { body } = await client.openLink(linkTo('reports.example'));
      assert.equal(Buffer.concat(await body.toArray()).toString(), '%PDF');
      assert.deepEqual(asked, [`reports.example:${port}`]);
    } finally {
      client.dispose();
    }
  });
});
