import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { DownloadLink, FileResponse, OpenLinkOptions } from '../../../src/api/schemas/report.ts';
import { Secret } from '../../../src/base/secret.ts';
import { serve, serveTcp } from '../../support/localServer.ts';
import { cleanUpAfterEach, clientFor, failure, testKey } from './clients.ts';

const baseUrl = 'http://127.0.0.1:9/api/v2';
const signature = 'sig=canary0123456789';

function linkTo(url: string): DownloadLink {
  return { report_id: 1, url: new Secret(url) };
}

function open(url: string, options?: OpenLinkOptions, from = baseUrl): Promise<FileResponse> {
  return clientFor(from).openLink(linkTo(url), options);
}

async function bytesOf(file: FileResponse): Promise<Buffer> {
  return buffer(file.body);
}

/** Fails, and says nothing of the link. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await failure(call);
  assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /canary/);
  return `${error.problem.kind}: ${error.message}`;
}

describe('a signed link', () => {
  cleanUpAfterEach();

  it('is fetched with a plain GET, without the key, uncompressed', async () => {
    const file = Buffer.alloc(300_000, 7);
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': file.length });
      response.end(file);
    });
    const response = await open(`${server.origin}/files/1.pdf?${signature}`);
    assert.equal(response.contentLength, file.length);
    assert.deepEqual(await bytesOf(response), file);
    const [request] = server.requests;
    assert.equal(request?.method, 'GET');
    assert.equal(request?.url, `/files/1.pdf?${signature}`);
    assert.doesNotMatch(
      JSON.stringify(request?.rawHeaders),
      new RegExp(`${testKey}|x-api-key|authorization|cookie`, 'i'),
    );
    assert.equal(request?.headers['accept-encoding'], 'identity');
  });

  it('is followed over three redirects, no further, and never with the key', async () => {
    let hops = 0;
    const server = await serve(({ url }, response) => {
      const left = Number(url?.slice(1));
      if (left === 0) return response.end('%PDF');
      hops++;
      response.writeHead(307, { location: `/${left - 1}` });
      response.end('moved');
    });
    assert.equal((await bytesOf(await open(`${server.origin}/3`))).toString(), '%PDF');
    assert.equal(hops, 3);
    assert.match(await refusal(open(`${server.origin}/4`)), /redirects too often/);
    assert.ok(server.requests.every(({ rawHeaders }) => !rawHeaders.join().includes(testKey)));
  });

  it('leads nowhere but to https, or to loopback when the service is there', async () => {
    const targets = [
      'http://files.example/',
      'https://10.0.0.1/',
      'file:///etc/passwd',
      'https://u:p@files.example/',
      '',
    ];
    for (const target of targets) {
      const server = await serve((_, response) => {
        response.writeHead(302, { location: target });
        response.end();
      });
      assert.match(await refusal(open(`${server.origin}/?${signature}`)), /redirects to an address that isn't allowed/);
      assert.match(await refusal(open(`${target}?${signature}`)), /isn't allowed/);
    }
    const inside = await serve((_, response) => response.end('secret'));
    const remote = 'https://reports.test.example/api/v2';
    assert.match(await refusal(open(`${inside.origin}/?${signature}`, {}, remote)), /isn't allowed/);
    assert.equal(inside.requests.length, 0);
  });

  it('that has expired or fails says so, and is not tried again', async () => {
    for (const [status, words] of [
      [403, /temporary: .*no longer works/],
      [404, /temporary: .*no longer works/],
      [410, /temporary: .*no longer works/],
      [500, /temporary: .*can't be fetched/],
      [204, /temporary/],
      [206, /temporary/],
    ] as const) {
      const server = await serve((_, response) => {
        response.writeHead(status, { 'content-type': 'text/html' });
        response.end(status === 204 ? undefined : '<html>canary');
      });
      assert.match(await refusal(open(`${server.origin}/?${signature}`)), words);
      assert.equal(server.requests.length, 1);
    }
  });

  it('that brings something compressed is refused', async () => {
    const compressed = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end('x');
    });
    assert.match(await refusal(open(compressed.origin)), /compressed/);
  });

  it('whose bytes break off fails while they are read', async () => {
    const server = await serveTcp((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc');
        socket.end();
      }),
    );
    const response = await open(`${server.origin}/?${signature}`);
    assert.match(await refusal(bytesOf(response)), /network: .*(dropped|cut off)/);
  });

  it('can be given up at any time: before the answer, in the middle, or by leaving the loop', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200);
      response.write(Buffer.alloc(1000));
    });
    const client = clientFor(server.baseUrl);
    const controller = new AbortController();
    const aborted = await client.openLink(linkTo(server.origin), { signal: controller.signal });
    controller.abort();
    await assert.rejects(bytesOf(aborted), { name: 'AbortError' });

    const cancelled = await client.openLink(linkTo(server.origin));
    cancelled.body.destroy();
    cancelled.body.destroy();

    for (let turn = 0; turn < 10; turn++) {
      for await (const chunk of (await client.openLink(linkTo(server.origin))).body) {
        assert.equal(chunk.length, 1000);
        break;
      }
    }
    // Each of them gave its connection back: more than eight in a row still go through.
    for (let turn = 0; turn < 10; turn++) (await client.openLink(linkTo(server.origin))).body.destroy();
    await assert.rejects(client.openLink(linkTo(server.origin), { signal: AbortSignal.abort() }), {
      name: 'AbortError',
    });
  });

  it('comes no faster than it is taken, and fails when it breaks off', async () => {
    const bytes = Buffer.alloc(3_000_000, 'abcdefg');
    let sent = 0;
    const whole = await serve((_, response) => {
      const write = () => {
        if (sent < 50) response.write(bytes, () => sent++ < 50 && write());
        else response.end();
      };
      write();
    });
    const slow = await open(whole.origin);
    for await (const chunk of slow.body) {
      for (let turn = 0; turn < 100; turn++) await setImmediate();
      assert.ok(chunk.length > 0 && sent < 20, `${sent} pieces of 3 MB were sent ahead`);
      break;
    }

    const cut = await serve((_, response) => {
      response.writeHead(200, { 'content-length': bytes.length + 1 });
      response.write(bytes, () => response.destroy());
    });
    let taken = 0;
    const { body } = await open(cut.origin);
    const read = async () => {
      for await (const chunk of body) taken += chunk.length;
    };
    assert.match(await refusal(read()), /network: .*(dropped|cut off)/);
    assert.ok(taken <= bytes.length);
  });

  describe('to the rest of a file', () => {
    const whole = Buffer.from('%PDF-1.7 the whole of it');
    const rest = (from: number) => `bytes ${from}-${whole.length - 1}/${whole.length}`;
    const partial = (headers: Record<string, string>, from = 9, status = 206) =>
      serve((_, response) => response.writeHead(status, headers).end(whole.subarray(from)));

    it('asks for it, and for the whole should the file have changed', async () => {
      const server = await partial({ 'content-range': rest(9), etag: '"a"' });
      const part = await open(`${server.origin}/f`, { resume: { from: 9, tag: '"a"' } });
      assert.deepEqual([part.start, part.total, part.contentLength, part.tag], [9, whole.length, null, '"a"']);
      assert.deepEqual(await bytesOf(part), whole.subarray(9));
      const [request] = server.requests;
      assert.deepEqual([request?.headers.range, request?.headers['if-range']], ['bytes=9-', '"a"']);
    });

    it('says so when the whole comes', async () => {
      const server = await partial({ etag: 'W/"a"', 'content-length': `${whole.length}` }, 0, 200);
      const part = await open(`${server.origin}/f`, { resume: { from: 9 } });
      assert.deepEqual([part.start, part.total, part.tag], [0, whole.length, undefined]);
      assert.equal(server.requests[0]?.headers['if-range'], undefined);
      assert.deepEqual(await bytesOf(part), whole);
    });

    const plain: readonly (readonly [string, Record<string, string>, number | null, string | undefined])[] = [
      ['does not say how long the whole is', { 'content-range': 'bytes 9-23/*' }, null, '"a"'],
      ['bears no tag', { 'content-range': ` BYTES  9-23/24 `, 'content-length': '15' }, 24, '"a"'],
      ['bears a weak tag', { 'content-range': rest(9), etag: 'W/"b"' }, 24, '"a"'],
    ];
    for (const [what, headers, total, tag] of plain) {
      it(`takes a part that ${what}`, async () => {
        const server = await partial(headers);
        const part = await open(`${server.origin}/f`, { resume: { from: 9, tag: '"a"' } });
        assert.deepEqual([part.start, part.total, part.tag], [9, total, tag]);
        assert.deepEqual(await bytesOf(part), whole.subarray(9));
      });
    }

    it('takes a part of one byte, and none that it did not ask for', async () => {
      const server = await partial({ 'content-range': 'bytes 23-23/24' }, 23);
      assert.deepEqual(await bytesOf(await open(`${server.origin}/f`, { resume: { from: 23 } })), whole.subarray(23));
      assert.match(await refusal(open(`${server.origin}/f`)), /^temporary/);
    });

    const odd: readonly (readonly [string, Record<string, string>])[] = [
      ['begins elsewhere', { 'content-range': rest(8) }],
      ['does not say where it begins', {}],
      ['says it in other units', { 'content-range': 'lines 9-23/24' }],
      ['is of several parts', { 'content-type': 'multipart/byteranges; boundary=x' }],
      ['is of another version', { 'content-range': rest(9), etag: '"b"' }],
      ['is compressed', { 'content-range': rest(9), 'content-encoding': 'gzip' }],
    ];
    for (const [what, headers] of odd) {
      it(`refuses a part that ${what}`, async () => {
        const server = await partial(headers);
        const resume = { from: 9, tag: '"a"' };
        assert.match(await refusal(open(`${server.origin}/f?${signature}`, { resume })), /^unexpected-shape/);
      });
    }
  });
});
