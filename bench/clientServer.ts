import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { columns } from '../src/api/schemas/fields.ts';

// A process of its own, so that its work is nobody's: serves pages of reports that were written once, in a chain
// without end. Prints its port and ends with its input.
const [size = '200', pages = '25'] = process.argv.slice(2);

const sample = { string: 'Nordlys Energi ASA', integer: 128, float: 6.4, boolean: true, date: '2024-12-31' } as const;

function report(id: number): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    report_id: id,
    report_key: `XOSL_NOR_2024_SR_${id}`,
    company_key: 'XOSL_NOR',
    has_file: true,
    download_path: `/reports/${id}/download`,
    formats: ['pdf'],
    created_at: '2025-03-01T10:00:00Z',
    updated_at: '2025-03-02T10:00:00Z',
    report_hash: 'f00d',
    document_scope: 'group',
    report_fcyear: 2024,
    report_period: 'FY2024',
    report_pubdate: '2025-02-28',
    report_edition: '1',
    report_assurance: 'Nordlys Audit',
  };
  for (const { apiField, type } of columns) fields[apiField] ??= sample[type];
  fields.content_sha256 = id.toString(16).padStart(64, '0');
  fields.company_isin = null;
  const cell = (value: unknown) => (typeof value === 'boolean' ? String(value).toUpperCase() : String(value ?? ''));
  return {
    ...fields,
    metadata: Object.fromEntries(columns.map(({ name, apiField }) => [name, cell(fields[apiField])])),
  };
}

const bodies = Array.from({ length: Number(pages) }, (_, page) => {
  const data = Array.from({ length: Number(size) }, (_, index) => report(page * Number(size) + index + 1));
  const next_cursor = `c${(page + 1) % Number(pages)}`;
  return Buffer.from(JSON.stringify({ data, page_info: { count: data.length, has_more: true, next_cursor } }));
});

const server = createServer((request, response) => {
  const page = Number(/cursor=c(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
  const body = bodies[page] ?? Buffer.alloc(0);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-ratelimit-limit': '600',
    'x-ratelimit-remaining': '599',
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => server.closeAllConnections()).on('end', () => server.close());
process.stdin.resume();
