import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileResponse, OpenLinkOptions, Report, Resume } from '../../../src/api/schemas/report.ts';
import { downloadReport } from '../../../src/downloads/download.ts';
import type { DownloadOptions } from '../../../src/downloads/ports.ts';
import { partName } from '../../../src/files/atomic.ts';
import {
  apiError,
  body,
  FakeClock,
  FakeSource,
  filesBelow,
  pdf,
  pieces,
  portsOf,
  put,
  report,
  reportOf,
  systemError,
  temporaryFolder,
} from './fixtures.ts';
import { openFolder } from './folders.ts';

/** How a file host answers one request. */
interface Answer {
  /** The file it has at that time. */
  readonly file: Uint8Array;
  /** Breaks off at this byte of the file. */
  readonly breakAt?: number;
  /** Whether it knows how to send a part. */
  readonly ranges?: boolean;
  readonly tag?: string;
  readonly refusal?: Error;
}

/** A service whose file host answers in turn; the last answer stays. Keeps what was asked for and how much was sent. */
class Host extends FakeSource {
  readonly resumes: (Resume | undefined)[] = [];
  sent = 0;
  readonly #answers: Answer[];

  constructor(...answers: Answer[]) {
    super();
    this.#answers = answers;
  }

  override async openLink(_link: unknown, { resume }: OpenLinkOptions = {}): Promise<FileResponse> {
    this.resumes.push(resume);
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    assert.ok(answer);
    const { file, breakAt, ranges = true, tag, refusal } = answer;
    if (refusal) throw refusal;
    const isSame = resume?.tag === undefined || resume.tag === tag;
    const start = resume && ranges && isSame ? resume.from : 0;
    const rest = file.subarray(start, breakAt);
    const broken = breakAt === undefined ? [] : [systemError('ECONNRESET', 'read')];
    this.sent += rest.length;
    return { ...body([...pieces(rest), ...broken], file.length - start), start, total: file.length, tag };
  }
}

const path = 'reports/XDEM_ACME/2022/XDEM_ACME_2023_SR.pdf';
const file = pdf(1, 3_000_001);
const other = pdf(2, 3_000_001);
const tag = '"v1"';

describe('an interrupted download', function () {
  this.timeout(10_000);
  const folder = temporaryFolder();
  const stored = () => readFile(join(folder.path, path));
  const at = () => ({ root: folder.path, path, heldSha256: null });
  const run = (host: Host, wanted: Report = reportOf(file), options: DownloadOptions = {}, clock = new FakeClock()) =>
    downloadReport(wanted, at(), portsOf(host, { clock }), options);

  it('goes on at the very byte where it broke off, each time with a fresh link, and sends nothing twice', async () => {
    const host = new Host({ file, tag, breakAt: 1_234_567 }, { file, tag, breakAt: 1_234_600 }, { file, tag });
    const result = await run(host);
    assert.deepEqual([result.status, result.verified, result.links], ['downloaded', true, 3]);
    assert.deepEqual(host.resumes, [undefined, { from: 1_234_567, tag }, { from: 1_234_600, tag }]);
    assert.equal(host.sent, file.length);
    assert.ok((await stored()).equals(file));
    assert.deepEqual(await filesBelow(folder.path), [path]);
  });

  it('tells its progress from there on', async () => {
    const told: (readonly [number, number | null])[] = [];
    const host = new Host({ file, tag, breakAt: 2_000_000 }, { file, tag });
    await run(host, reportOf(file), { onProgress: (bytes, total) => void told.push([bytes, total]) });
    assert.ok(told.some(([bytes]) => bytes === 2_000_000));
    assert.deepEqual(told.at(-1), [file.length, file.length]);
  });

  it('begins anew where the host knows no ranges', async () => {
    const host = new Host({ file, breakAt: 2_000_000 }, { file, ranges: false });
    assert.equal((await run(host)).status, 'downloaded');
    assert.equal(host.sent, 2_000_000 + file.length);
    assert.ok((await stored()).equals(file));
  });

  for (const [refusal, isKept] of [
    [apiError('unexpected-shape'), false],
    [apiError('temporary', 416), false],
    [apiError('temporary', 403), true],
    [apiError('network'), true],
  ] as const) {
    const { kind, status = '' } = refusal.problem;
    it(`${isKept ? 'keeps what is here' : 'begins anew'} when the request for the rest ends as ${kind} ${status}`, async () => {
      const host = new Host({ file, tag, breakAt: 500_000 }, { file, refusal }, { file, tag });
      const result = await run(host);
      assert.deepEqual([result.status, result.links], ['downloaded', 3]);
      const rest = { from: 500_000, tag };
      assert.deepEqual(host.resumes, [undefined, rest, isKept ? rest : undefined]);
    });
  }

  for (const [what, begun, breakAt] of [
    ['the parts do not fit together', other, 1_000_000],
    ['a single byte does not fit', Buffer.concat([Buffer.from('x'), file.subarray(1)]), 1],
  ] as const)
    it(`is fetched once from its start when ${what}`, async () => {
      const host = new Host({ file: begun, breakAt }, { file });
      const result = await run(host);
      assert.deepEqual([result.status, result.links], ['downloaded', 3]);
      assert.deepEqual(host.resumes, [undefined, { from: breakAt, tag: undefined }, undefined]);
      assert.deepEqual(host.reads, []);
      assert.ok((await stored()).equals(file));
    });

  it('keeps what came before a body ended early, and nothing of one that was too long', async () => {
    for (const [first, from] of [
      [[file.subarray(0, 9)], 9],
      [[file, Buffer.from('more')], undefined],
    ] as const) {
      const source = new FakeSource();
      const asked: (number | undefined)[] = [];
      source.openLink = async (_, { resume }: OpenLinkOptions = {}) => {
        asked.push(resume?.from);
        return body(asked.length === 1 ? first : [...pieces(file)], file.length);
      };
      const place = { ...at(), path: `${from}.pdf` };
      assert.equal((await downloadReport(reportOf(file), place, portsOf(source))).status, 'downloaded');
      assert.deepEqual(asked, [undefined, from]);
    }
  });

  it('waits for up to a second, then up to two, drawn at random, so that many do not come back at once', async () => {
    const clock = new FakeClock();
    const { random } = Math;
    Math.random = () => 0.75;
    try {
      const host = new Host({ file, tag, breakAt: 9 }, { file, tag, breakAt: 99 }, { file, tag });
      await run(host, reportOf(file), {}, clock);
    } finally {
      Math.random = random;
    }
    assert.deepEqual(clock.sleeps, [750, 1500]);
  });

  it('asks for three links at most, and keeps nothing of parts that do not fit together', async () => {
    const host = new Host({ file: other, breakAt: 9 }, { file: other, breakAt: 99 }, { file });
    const result = await run(host);
    assert.deepEqual([result.status, result.cause, result.links], ['failed', 'service', 3]);
    assert.equal(result.verified, false);
    assert.match(result.reason ?? '', /don’t fit together/);
    assert.deepEqual(await filesBelow(folder.path), []);
  });

  it('takes the new version whole when the file changed meanwhile and the tag tells', async () => {
    const host = new Host({ file: other, tag: '"v0"', breakAt: 1_000_000 }, { file, tag });
    assert.equal((await run(host)).links, 2);
    assert.ok((await stored()).equals(file));
  });

  it('without a published hash goes on only where a tag tells that the rest fits', async () => {
    const unknown = report({ content_sha256: null });
    const untagged = new Host({ file: other, breakAt: 1_000_000 }, { file });
    assert.equal((await run(untagged, unknown)).verified, false);
    assert.deepEqual(untagged.resumes, [undefined, undefined]);
    assert.ok((await stored()).equals(file));
  });

  it('of a process that was killed is begun anew, and nothing of it is left', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const name = partName(basename(path)).replace(/-\d+-\d+-/, `-${pid}-1-`);
    await put(join(folder.path, dirname(path), name), file.subarray(0, 9));
    const host = new Host({ file, tag });
    const clock = new FakeClock();
    clock.time = Date.now();
    const [result] = await openFolder(folder.path, host, { clock }).download([reportOf(file)]);
    assert.deepEqual([result?.status, result?.links], ['downloaded', 1]);
    assert.deepEqual(host.resumes, [undefined]);
    assert.ok((await stored()).equals(file));
    const files = await filesBelow(folder.path);
    assert.deepEqual(
      files.filter((name) => !/\.(json|csv)$/.test(name)),
      [path],
    );
  });
});
