import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wireReport } from '../test/unit/library/support/wireReports.ts';

/**
 * A file host for the benchmarks, in a process of its own: `/link/{id}` answers with a link, `/file/{id}` with the bytes.
 * Prints its port and the hashes of its few different files as a line of JSON, and ends with its parent. A second port
 * is a strict service: any tenth link within a second, and any more than a minute may have, is refused with 429;
 * `/counts` tells what was asked of it. It lists a report for each file.
 */
const megabytes = Number(process.argv[2] ?? 5);
const variants = Array.from({ length: Number(process.argv[3] ?? 8) }, (_, index) => {
  const bytes = Buffer.alloc(megabytes * 1e6, createHash('sha512').update(`${index}`).digest());
  bytes.write('%PDF-1.7\n');
  return bytes;
});

const hashes = variants.map((bytes) => createHash('sha256').update(bytes).digest('hex'));

const server = createServer((request, response) => {
  const [, kind, id] = /^\/(link|file)\/(\d+)/.exec(request.url ?? '') ?? [];
  const bytes = variants[Number(id) % variants.length] ?? Buffer.alloc(0);
  if (kind === 'link') {
    const body = JSON.stringify({
      report_id: Number(id),
      format: 'pdf',
      url: `http://${request.headers.host}/file/${id}?s=1`,
    });
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  } else if (kind === 'file') {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': bytes.length }).end(bytes);
  } else response.writeHead(404).end();
});

const maxInSecond = 9;
const maxInMinute = 600;
const granted: number[] = [];
const asked = new Map<string, number>();
let refused = 0;

const strict = createServer((request, response) => {
  if (request.url === '/counts') {
    const maxOfOne = Math.max(...asked.values());
    return response.end(JSON.stringify({ granted, refused, maxOfOne, reports: asked.size }));
  }
  if (request.url?.startsWith('/api/v2/reports?')) {
    const data = hashes.map((content_sha256, index) => {
      const report_id = variants.length + index;
      return { ...wireReport(report_id), report_id, content_sha256, has_file: true, report_filesize: megabytes };
    });
    const body = JSON.stringify({ data, page_info: { count: data.length, has_more: false, next_cursor: null } });
    return response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }
  const [, id = ''] = /^\/api\/v2\/reports\/(\d+)\/download$/.exec(request.url ?? '') ?? [];
  const now = performance.now();
  const within = (ms: number) => granted.length - (granted.findLastIndex((at) => now - at >= ms) + 1);
  const isTooFast = within(1000) >= maxInSecond || within(60_000) >= maxInMinute;
  const headers = { 'content-type': 'application/json', 'x-ratelimit-limit': `${maxInMinute}` };
  if (id === '' || isTooFast) {
    refused++;
    return response.writeHead(isTooFast ? 429 : 404, { ...headers, 'retry-after': '1' }).end('{"detail":"refused"}');
  }
  granted.push(now);
  asked.set(id, (asked.get(id) ?? 0) + 1);
  const url = `http://127.0.0.1:${portOf(server)}/file/${id}?s=1`;
  return response
    .writeHead(200, { ...headers, 'x-ratelimit-remaining': `${maxInMinute - within(60_000)}` })
    .end(JSON.stringify({ report_id: Number(id), format: 'pdf', url, expires_in_seconds: 900 }));
});

server.listen(0, '127.0.0.1', () =>
  strict.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ port: portOf(server), strictPort: portOf(strict), hashes })}\n`);
  }),
);
process.stdin.resume().on('end', () => process.exit());

function portOf(listening: Server): number {
  return (listening.address() as AddressInfo).port;
}
