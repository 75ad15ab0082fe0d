import assert from 'node:assert/strict';
import fs, { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Report } from '../../../src/api/schemas/report.ts';
import { downloadReport } from '../../../src/downloads/download.ts';
import type { ContentStore, DownloadOptions, DownloadPorts } from '../../../src/downloads/ports.ts';
import {
  apiError,
  body,
  FakeSource,
  filesBelow,
  pdf,
  pick,
  pieces,
  portsOf,
  put,
  replacements,
  report,
  reportOf,
  sha256,
  systemError,
  temporaryFolder,
} from './fixtures.ts';

const path = 'reports/XDEM_ACME/2022/XDEM_ACME_2023_SR.pdf';
const good = pdf(1);
const other = pdf(2);

describe('downloading one report', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();

  const replace = replacements();

  interface RunOptions extends DownloadOptions {
    held?: string | null;
    stores?: ContentStore[];
    lease?: DownloadPorts['lease'];
  }
  async function run(source: FakeSource, wanted: Report, options: RunOptions = {}) {
    const { held = null, stores = [], lease, ...own } = options;
    const at = { root: folder.path, path, heldSha256: held };
    const result = await downloadReport(wanted, at, portsOf(source, { stores, ...(lease && { lease }) }), own);
    if (result.path === undefined) assert.equal(result.verified, false, 'nothing is there, and yet it is verified');
    return result;
  }
  const putHere = (bytes: Uint8Array) => put(join(folder.path, path), bytes);
  const stored = () => readFile(join(folder.path, path));

  it('stores verified bytes with exactly one link', async () => {
    const source = new FakeSource().serve(7, good);
    const progress: number[] = [];
    const result = await run(source, reportOf(good), { onProgress: (bytes) => void progress.push(bytes) });
    assert.equal(result.status, 'downloaded');
    assert.equal(result.verified, true);
    assert.equal(result.sha256, sha256(good));
    assert.equal(result.bytes, good.length);
    assert.deepEqual(await stored(), good);
    assert.deepEqual(source.links, [7]);
    assert.equal(result.links, 1);
    assert.equal(progress.at(-1), good.length);
    assert.deepEqual(await filesBelow(folder.path), [path]);
  });

  it('asks for nothing when the file is there, whoever put it there', async () => {
    await putHere(good);
    const source = new FakeSource();
    const result = await run(source, reportOf(good, { content_sha256: sha256(good).toUpperCase() }));
    assert.equal(result.status, 'unchanged');
    assert.equal(result.verified, true);
    assert.deepEqual([source.links, source.reads], [[], []]);
  });

  it('says that a report has no file before any request', async () => {
    const source = new FakeSource();
    const result = await run(source, report({ has_file: false }));
    assert.equal(result.status, 'no-file');
    assert.match(result.reason ?? '', /no PDF/);
    assert.deepEqual([source.links, source.reads], [[], []]);
  });

  it('leaves a foreign file and an edited one alone, without a link', async () => {
    await putHere(other);
    const source = new FakeSource().serve(7, good);
    const foreign = await run(source, reportOf(good));
    assert.deepEqual([foreign.status, foreign.cause], ['failed', 'foreign']);
    const edited = await run(source, reportOf(good), { held: sha256(pdf(3)) });
    assert.deepEqual([edited.status, edited.cause], ['failed', 'edited']);
    assert.match(edited.reason ?? '', /isn’t the version in the lock file/);
    assert.deepEqual(await stored(), other);
    assert.deepEqual(source.links, []);
  });

  it('agrees with another window that stored the same bytes meanwhile, with a hash or without', async () => {
    const source = new FakeSource().serve(7, good);
    const { lease } = portsOf(source);
    for (const [wanted, options] of [
      [reportOf(good), {}],
      [report({ content_sha256: null }), { lease }],
    ] as const) {
      const results = await Promise.all([run(source, wanted, options), run(source, wanted, options)]);
      assert.deepEqual(pick(results, 'status', 'replaced'), Array(2).fill(['downloaded', undefined]));
      assert.ok((await stored()).equals(good));
      assert.deepEqual(await filesBelow(folder.path), [path]);
      await rm(join(folder.path, path));
    }
  });

  it('leaves a file alone that a person put there while it waited for its turn', async () => {
    const lease: DownloadPorts['lease'] = async (_, work) => {
      await putHere(other);
      return work(new AbortController().signal);
    };
    const result = await run(new FakeSource().serve(7, good), report({ content_sha256: null }), { lease });
    assert.deepEqual([result.status, result.cause], ['failed', 'foreign']);
    assert.deepEqual(await stored(), other);
  });

  it('keeps a web page in place of the PDF only where its hash was published', async () => {
    const page = Buffer.from('<html><h1>Sign in</h1></html>');
    const result = await run(new FakeSource().serve(7, page), report({ content_sha256: null }));
    assert.deepEqual([result.status, result.cause], ['failed', 'bad-file']);
    assert.match(result.reason ?? '', /something other than a PDF/);
    assert.deepEqual(await filesBelow(folder.path), []);
    assert.equal((await run(new FakeSource().serve(7, page), reportOf(page))).status, 'downloaded');
  });

  it('keeps a file without a published hash, and never calls it verified', async () => {
    for (const hash of [null, '', 'not a hash']) {
      const source = new FakeSource().serve(7, good);
      const result = await run(source, report({ content_sha256: hash }), { held: sha256(good) });
      assert.equal(result.verified, false);
      assert.match(result.reason ?? '', /could not be verified/);
    }
    assert.deepEqual(await stored(), good);
  });

  it('asks for no second link for an unverified file that is there', async () => {
    const source = new FakeSource().serve(7, good);
    const wanted = report({ content_sha256: null });
    assert.equal((await run(source, wanted)).status, 'downloaded');
    assert.equal((await run(source, wanted, { held: sha256(good) })).status, 'unchanged');
    assert.deepEqual(source.links, [7]);
  });

  it('keeps nothing of a bad file: same hash on a second reading', async () => {
    const source = new FakeSource().serve(7, other).tell(7, reportOf(good));
    const result = await run(source, reportOf(good));
    assert.deepEqual([result.status, result.cause], ['failed', 'bad-file']);
    assert.match(result.reason ?? '', /SHA-256/);
    assert.deepEqual(await filesBelow(folder.path), []);
    assert.deepEqual([source.links, source.reads], [[7], [7]]);
  });

  it('adopts a new hash that the bytes at hand have, without another link', async () => {
    const fresh = reportOf(other);
    const source = new FakeSource().serve(7, other).tell(7, fresh);
    const result = await run(source, reportOf(good));
    assert.equal(result.status, 'downloaded');
    assert.equal(result.sha256, sha256(other));
    assert.equal(result.report, fresh);
    assert.deepEqual([source.links, source.reads], [[7], [7]]);
  });

  it('adopts no hash of another report that the service now has under the id', async () => {
    const another = reportOf(other, { report_key: 'XDEM_OTHER_2023_SR', company_key: 'XDEM_OTHER' });
    const source = new FakeSource().serve(7, other).tell(7, another);
    const asked = reportOf(good);
    const result = await run(source, asked);
    assert.deepEqual([result.status, result.cause, result.verified], ['failed', 'bad-file', false]);
    assert.match(result.reason ?? '', /another report under this number/);
    assert.equal(result.report, asked);
    assert.deepEqual(await filesBelow(folder.path), []);
  });

  it('adopts a new hash and fetches once more with a fresh link', async () => {
    // The longer one first: none of its bytes may stay behind the shorter one's.
    const source = new FakeSource().serve(7, pdf(3, 2 * other.length), other).tell(7, reportOf(other));
    const result = await run(source, reportOf(good));
    assert.equal(result.status, 'downloaded');
    assert.deepEqual(await stored(), other);
    assert.deepEqual([source.links, source.reads], [[7, 7], [7]]);
    assert.equal(new Set(source.opened).size, 2);
  });

  it('reads the report again only once', async () => {
    const source = new FakeSource().serve(7, pdf(3)).tell(7, reportOf(other));
    const result = await run(source, reportOf(good));
    assert.equal(result.cause, 'bad-file');
    assert.deepEqual([source.links, source.reads], [[7, 7], [7]]);
    assert.deepEqual(await filesBelow(folder.path), []);
  });

  it('gives up when the hash changes with the last link', async () => {
    const source = new FakeSource().serve(7, apiError('network'), apiError('network'), pdf(3)).tell(7, reportOf(other));
    const result = await run(source, reportOf(good));
    assert.equal(result.cause, 'bad-file');
    assert.match(result.reason ?? '', /changed during/);
    assert.deepEqual([source.links, source.reads], [[7, 7, 7], [7]]);
  });

  it('says so when the second reading has no file any more', async () => {
    const source = new FakeSource().serve(7, other).tell(7, report({ has_file: false }));
    assert.equal((await run(source, reportOf(good))).status, 'no-file');
    assert.deepEqual(source.links, [7]);
  });

  const half = good.subarray(0, 50_000);
  const broken: readonly (readonly [string, () => ReturnType<typeof body> | Error])[] = [
    ['truncation', () => body([half], good.length)],
    ['extra bytes', () => body([good, other], good.length)],
    ['a reset mid-body', () => body([half, systemError('ECONNRESET', 'read')])],
    ['an expired link', () => apiError('forbidden', 403)],
    ['an unreachable file host', () => apiError('network')],
  ];
  for (const [fault, make] of broken) {
    it(`asks for a fresh link after ${fault}, and for three at most`, async () => {
      const twice = new FakeSource().serve(7, make(), make(), good);
      assert.equal((await run(twice, reportOf(good))).status, 'downloaded');
      assert.deepEqual(twice.links, [7, 7, 7]);
      assert.equal(new Set(twice.opened).size, 3);
      assert.deepEqual(await filesBelow(folder.path), [path]);
    });
    it(`gives up after three times ${fault}, and keeps nothing`, async () => {
      const always = new FakeSource().serve(7, make(), make(), make(), good);
      const result = await run(always, reportOf(good));
      assert.deepEqual([result.status, result.cause, result.verified], ['failed', 'service', false]);
      assert.deepEqual(always.links, [7, 7, 7]);
      assert.equal(result.links, 3);
      assert.deepEqual(await filesBelow(folder.path), []);
    });
  }

  it('asks for no other link where it would lead to the same refusal', async () => {
    for (const kind of ['unexpected-shape', 'invalid'] as const) {
      const source = new FakeSource().serve(7, apiError(kind), good);
      const result = await run(source, reportOf(good));
      assert.deepEqual([result.status, result.cause, source.links], ['failed', 'service', [7]]);
    }
  });

  it('asks for a link only when the disk has room for every byte of a known size', async () => {
    for (const [report_filesize, bytesFree, links] of [
      [2.5, 2_499_999, []],
      [2.5, 2_500_000, [7]],
      [null, 0, [7]],
    ] as const) {
      replace(fs, { statfs: async () => ({ bavail: bytesFree, blocks: 1e9, bsize: 1 }) });
      const source = new FakeSource().serve(7, good);
      const result = await run(source, reportOf(good, { report_filesize }));
      assert.equal(result.cause, links.length > 0 ? undefined : 'no-space');
      assert.deepEqual(source.links, links);
      await rm(join(folder.path, path), { force: true });
    }
  });

  it('refuses a file over the size limit, with one link', async () => {
    const source = new FakeSource().serve(7, body([...pieces(good)], 2 * 1024 ** 3 + 1), good);
    const result = await run(source, reportOf(good));
    assert.match(result.reason ?? '', /exceeds the size limit/);
    assert.deepEqual(source.links, [7]);
    assert.deepEqual(await filesBelow(folder.path), []);
  });

  it('keeps no empty file', async () => {
    const result = await run(new FakeSource().serve(7, Buffer.alloc(0)), report({ content_sha256: null }));
    assert.equal(result.cause, 'bad-file');
    assert.deepEqual(await filesBelow(folder.path), []);
  });

  it('tells not in the license, without a file, and no longer served apart, and tries no refused link again', async () => {
    const missing = apiError('not-found', 404);
    for (const [refusal, reread, status, cause] of [
      [apiError('forbidden', 403), undefined, 'not-entitled', 'forbidden'],
      [missing, reportOf(good), 'no-file', 'no-file'],
      [missing, undefined, 'failed', 'withdrawn'],
      [missing, apiError('network'), 'failed', 'service'],
      [apiError('unauthorized', 401), undefined, 'failed', 'unauthorized'],
      [apiError('temporary', 503), undefined, 'failed', 'service'],
    ] as const) {
      const source = new FakeSource().serve(7, good).refuse(7, refusal);
      if (reread) source.tell(7, reread);
      const result = await run(source, reportOf(good));
      assert.deepEqual([result.status, result.cause, result.verified, result.links], [status, cause, false, 0]);
      assert.deepEqual(source.links, []);
    }
    const refused = await run(new FakeSource().refuse(7, apiError('forbidden', 403)), reportOf(good));
    assert.equal(refused.reason, 'Cause: forbidden. Next step.');
  });

  it('takes the bytes from a store without a link, and offers fetched ones to it', async () => {
    const kept = join(folder.path, 'kept');
    await writeFile(kept, good);
    const added: string[] = [];
    const empty: ContentStore = { find: async () => undefined, add: async (hash) => void added.push(hash) };
    const full: ContentStore = { find: async (hash) => (hash === sha256(good) ? kept : undefined) };
    const source = new FakeSource().serve(7, other);
    assert.equal((await run(source, reportOf(good), { stores: [empty, full] })).status, 'downloaded');
    assert.deepEqual(await stored(), good);
    assert.deepEqual(source.links, []);
    await run(source, reportOf(other), { stores: [empty, full], held: sha256(good) });
    assert.deepEqual([source.links, added], [[7], [sha256(other)]]);
  });

  it('replaces a file of an earlier lock only where a store has its very bytes', async () => {
    const kept = join(folder.path, 'kept');
    const stores = [{ find: async (hash: string) => (hash === sha256(other) ? kept : undefined) }];
    await putHere(other);
    for (const [copy, status, cause, bytes] of [
      [pdf(3), 'failed', 'edited', other],
      [other, 'downloaded', undefined, good],
    ] as const) {
      await writeFile(kept, copy);
      const result = await run(new FakeSource().serve(7, good), reportOf(good), { held: sha256(pdf(4)), stores });
      assert.deepEqual([result.status, result.cause, await stored()], [status, cause, bytes]);
    }
  });

  it('does not trust a store: wrong bytes are rejected and the link is asked for', async () => {
    const kept = join(folder.path, 'kept');
    await writeFile(kept, other);
    const rejected: string[] = [];
    const stores: ContentStore[] = [
      { find: async () => kept, reject: async (hash) => void rejected.push(hash) },
      { find: async () => join(folder.path, 'missing') },
      { find: () => Promise.reject(new Error('broken store')) },
    ];
    const source = new FakeSource().serve(7, good);
    assert.equal((await run(source, reportOf(good), { stores })).status, 'downloaded');
    assert.deepEqual([source.links, new Set(rejected)], [[7], new Set([sha256(good)])]);
    assert.deepEqual(await filesBelow(folder.path), ['kept', path]);
  });

  it('cancels before it starts, and while the body stalls, and keeps nothing', async () => {
    const source = new FakeSource();
    const early = await run(source, reportOf(good), { signal: AbortSignal.abort() });
    assert.deepEqual([early.status, source.links], ['cancelled', []]);

    const abort = new AbortController();
    const stalled = body([half, 'stall']);
    const running = run(source.serve(7, stalled), reportOf(good), {
      signal: abort.signal,
      onProgress: (bytes) => bytes > 0 && abort.abort(),
    });
    assert.equal((await running).status, 'cancelled');
    assert.ok(stalled.body.destroyed);
    assert.deepEqual(await filesBelow(folder.path), []);
    assert.deepEqual(source.links, [7]);
  });

  it('counts as cancelled when its connection was given up by others, without another link', async () => {
    const source = new FakeSource().serve(7, new DOMException('The connection ended.', 'AbortError'));
    const result = await run(source, reportOf(good));
    assert.deepEqual([result.status, source.links], ['cancelled', [7]]);
    assert.deepEqual(await filesBelow(folder.path), []);
  });

  it('refuses a symbolic link on the way or in the place, without a link request', async () => {
    await mkdir(join(folder.path, 'elsewhere'));
    await symlink(join(folder.path, 'elsewhere'), join(folder.path, 'reports'));
    const source = new FakeSource().serve(7, good);
    const result = await run(source, reportOf(good));
    assert.deepEqual([result.status, result.cause], ['failed', 'disk']);
    assert.match(result.reason ?? '', /symbolic link/);
    assert.deepEqual([source.links, await filesBelow(folder.path)], [[], ['reports']]);
  });

  it('never tells a link', async () => {
    const canary = 'signature=';
    const leaky = new Error(`could not reach https://files.example/7?${canary}1`);
    const result = await run(new FakeSource().serve(7, leaky), reportOf(good));
    assert.equal(result.status, 'failed');
    assert.ok(!inspect(result, { depth: 9 }).includes(canary));
  });
});
