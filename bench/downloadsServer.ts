import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * A file host for the benchmark, in a process of its own: `/link/{id}` answers with a link, `/file/{id}` with the bytes.
 * Prints its port and the hashes of its few different files as a line of JSON, and ends with its parent.
 */
const megabytes = Number(process.argv[2] ?? 5);
const variants = Array.from({ length: 8 }, (_, index) => {
  const bytes = Buffer.alloc(megabytes * 1e6, createHash('sha512').update(`${index}`).digest());
  bytes.write('%PDF-1.7\n');
  return bytes;
});

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
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const hashes = variants.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
  process.stdout.write(`${JSON.stringify({ port, hashes })}\n`);
});
process.stdin.resume().on('end', () => process.exit());
