import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../../src/api/client.ts';
import type { Report } from '../../../src/api/schemas/report.ts';
import type { DownloadFolder } from '../../../src/downloads/folder.ts';
import type { DownloadResult } from '../../../src/downloads/ports.ts';
import { services } from '../../support/demo/ask.ts';
import type { FaultAction, FaultMatch, FaultRule } from '../../support/demo/faults.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { plainCatalog } from '../../support/demo/tinyCatalog.ts';
import { filesBelow, pick, sha256 } from '../../unit/downloads/fixtures.ts';
import { openFolder } from '../../unit/downloads/folders.ts';
import { clientFor, disposeClients } from '../client/clients.ts';
import { HurriedClock } from '../client/hurriedClock.ts';

const linkRoute = 'GET /reports/{report_id}/download';
const fileRoute = 'GET /files';
const count = 12;
const size = 200_000;

/** Twelve reports of one company, whose PDFs have 200 kB each. */
function catalog() {
  const plain = plainCatalog(count);
  return {
    ...plain,
    async pdf(report: Parameters<typeof plain.pdf>[0]) {
      const { bytes } = await plain.pdf(report);
      const long = Buffer.alloc(size, bytes);
      return { bytes: long, pages: 1, sha256: sha256(long) };
    },
  };
}

describe('downloads from the service, whatever goes wrong', function () {
  this.timeout(30_000);
  const { start, end } = services();
  let root: string;
  let demo: TestDemo;
  let client: Client;
  let folder: DownloadFolder;
  let reports: Report[];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'report-library-'));
    const clock = new HurriedClock();
    demo = await start({ clock, catalog: catalog(), requestsPerMinute: 100_000 });
    client = clientFor(demo.baseUrl, { key: demo.key, clock });
    folder = openFolder(root, client, { clock });
    reports = [];
    for await (const page of client.reports({})) reports.push(...page.data);
    assert.equal(reports.length, count);
  });
  afterEach(async () => {
    disposeClients();
    await end();
    await rm(root, { recursive: true, force: true });
  });

  const seen = (route: string) => demo.control.log.to(route as typeof linkRoute);
  const fault = (action: FaultAction, match: FaultMatch = {}): FaultRule => ({
    match: { route: fileRoute, ...match },
    action,
  });

  /** What must hold however it went: right bytes under every name, no orphan, and no link that was not needed. */
  async function check(results: readonly DownloadResult[]): Promise<void> {
    const files = (await filesBelow(join(root, 'reports'))).filter((name) => !/\.(json|csv)$/.test(name));
    const stored = results.filter(({ path }) => path !== undefined);
    assert.deepEqual(
      files.map((name) => `reports/${name}`),
      pick(stored, 'path').sort(),
    );
    for (const { path = '', report } of stored) {
      assert.equal(sha256(await readFile(join(root, path))), report.content_sha256);
    }
    const links = results.reduce((sum, result) => sum + result.links, 0);
    const answered = seen(linkRoute).filter(({ status }) => status === 200).length;
    assert.equal(answered, links, 'each link that was given belongs to an attempt');
    assert.equal(demo.control.usage().downloads, links);
    assert.equal(seen(fileRoute).length, links, 'each link was used once');
    assert.deepEqual(demo.control.log.violations, []);
    assert.ok(demo.control.log.connections.peak <= 8);
  }
  const all = (status: string) => Array(count).fill(status);
  const statuses = (results: readonly DownloadResult[]) => pick(results, 'status');

  it('cost one link a file, and none the second time', async () => {
    const results = await folder.download(reports);
    assert.deepEqual(statuses(results), all('downloaded'));
    await check(results);
    assert.equal(seen(linkRoute).length, count);
    assert.deepEqual(statuses(await folder.download(reports)), all('unchanged'));
    assert.equal(seen(linkRoute).length, count);
    assert.equal(seen(fileRoute).length, count);
  });

  const passing: readonly (readonly [name: string, rule: FaultRule, links: number])[] = [
    ['a reset mid-body', fault({ kind: 'truncate', atByte: 70_000, end: 'reset' }, { nth: [2, 5] }), 2],
    ['a body cut short', fault({ kind: 'truncate', atByte: 70_000, end: 'close' }, { nth: [2, 5] }), 2],
    ['a connection reset before the answer', fault({ kind: 'reset' }, { nth: [1, 3] }), 2],
    ['a file host that is busy', fault({ kind: 'status', status: 503, retryAfter: 2 }, { nth: 4 }), 1],
    ['the HTML page of the edge', fault({ kind: 'html', status: 503 }, { nth: 4 }), 1],
    ['a slow drip', fault({ kind: 'drip', bytes: 50_000, everyMs: 5 }, { nth: [1, 2] }), 0],
    ['an expired link', { match: { route: linkRoute, nth: [2, 7] }, action: { kind: 'expired-link' } }, 2],
    [
      '503 with Retry-After for a link',
      fault({ kind: 'usage-unrecorded', retryAfter: 3 }, { route: linkRoute, nth: 3 }),
      0,
    ],
  ];
  for (const [name, rule, more] of passing) {
    it(`come whole after ${name}`, async () => {
      demo.control.faults.set([rule]);
      const results = await folder.download(reports);
      assert.deepEqual(statuses(results), all('downloaded'));
      await check(results);
      assert.equal(demo.control.usage().downloads, count + more);
      assert.ok(demo.control.faults.fired.length > 0);
    });
  }

  it('go on where they broke off: no byte is sent twice', async () => {
    demo.control.faults.set([fault({ kind: 'truncate', atByte: 70_000, end: 'reset' }, { nth: 1 })]);
    const results = await folder.download(reports.slice(0, 1));
    await check(results);
    const [first, second] = seen(fileRoute);
    assert.deepEqual([first?.status, second?.status], [200, 206]);
    assert.match(second?.headers.range ?? '', /^bytes=\d+-$/);
    assert.equal(second?.headers['if-range'], `"${reports[0]?.content_sha256}"`);
  });

  const odd = [
    ['whole', 1],
    ['shifted', 2],
    ['refused', 2],
  ] as const;
  for (const [answer, more] of odd) {
    it(`come whole from a file host whose answer to a range is ${answer}`, async () => {
      demo.control.faults.set([
        fault({ kind: 'truncate', atByte: 70_000, end: 'reset' }, { nth: 1 }),
        fault({ kind: 'range', answer }),
      ]);
      const results = await folder.download(reports.slice(0, 1));
      assert.deepEqual(statuses(results), ['downloaded']);
      await check(results);
      assert.equal(demo.control.usage().downloads, 1 + more);
    });
  }

  it('are fetched once from their start when the rest does not fit what was here', async () => {
    demo.control.faults.set([
      fault({ kind: 'truncate', atByte: 70_000, end: 'reset' }, { nth: 1 }),
      fault({ kind: 'altered-bytes', atByte: 10 }, { when: ({ headers }) => headers.range !== undefined }),
    ]);
    const results = await folder.download(reports.slice(0, 1));
    assert.deepEqual(statuses(results), ['downloaded']);
    await check(results);
    assert.deepEqual(
      seen(fileRoute).map(({ status }) => status),
      [200, 206, 200],
    );
  });

  const failing: readonly (readonly [name: string, action: FaultAction, links: number])[] = [
    ['wrong bytes', { kind: 'altered-bytes', atByte: 9 }, 1],
    ['extra bytes', { kind: 'extra-bytes', bytes: 50 }, 1],
    ['noise', { kind: 'garbage' }, 1],
    ['a cut that nothing announces', { kind: 'truncate', atByte: 100, end: 'unannounced' }, 1],
    ['a redirect away from https', { kind: 'redirect', location: 'http://files.example/x' }, 1],
  ];
  for (const [name, action, links] of failing) {
    it(`keep nothing of ${name} under a name, and say so`, async () => {
      const [bad] = reports;
      const ofBad = ({ path }: { readonly path: string }) => path === `/files/${bad?.report_id}.pdf`;
      demo.control.faults.set([fault(action, { when: ofBad })]);
      const results = await folder.download(reports);
      assert.deepEqual(statuses(results), ['failed', ...all('downloaded').slice(1)]);
      assert.equal(results[0]?.links, links);
      assert.match(results[0]?.reason ?? '', /\w+\. \w+/);
      await check(results);
    });
  }

  it('take over a new version that was published meanwhile', async () => {
    demo.control.catalog.replacePdf(reports[0]?.report_id ?? 0);
    const results = await folder.download(reports);
    assert.deepEqual(statuses(results), all('downloaded'));
    await check(results);
    assert.notEqual(results[0]?.sha256, reports[0]?.content_sha256);
    assert.equal(results[0]?.links, 1);
  });

  it('stop mid-body while the service says no more, and keep nothing', async () => {
    demo.control.faults.set([fault({ kind: 'stall', atByte: 1000 })]);
    const abort = new AbortController();
    const results = await folder.download(reports, {
      signal: abort.signal,
      onProgress: (bytes) => bytes > 0 && abort.abort(),
    });
    assert.deepEqual(statuses(results), all('cancelled'));
    assert.ok(!(await filesBelow(root)).some((name) => /\.(pdf|part)$/.test(name)));
  });

  it('leave nothing wrong and ask for nothing needless while a fifth of everything fails', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      demo.control.faults.set(
        [
          fault({ kind: 'truncate', atByte: 50_000, end: 'reset' }, { share: 0.1 }),
          fault({ kind: 'reset' }, { share: 0.05 }),
          fault({ kind: 'range', answer: 'whole' }, { share: 0.3 }),
          fault({ kind: 'status', status: 500 }, { share: 0.05 }),
          { match: { route: linkRoute, share: 0.1 }, action: { kind: 'expired-link' } },
        ],
        seed,
      );
      await folder.download(reports);
    }
    demo.control.faults.clear();
    const results = await folder.download(reports);
    assert.ok(results.every(({ verified }) => verified));
    assert.ok(!(await filesBelow(root)).some((name) => name.endsWith('.part')));
  });
});
