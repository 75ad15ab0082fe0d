import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileResponse, OpenLinkOptions } from '../../../src/api/schemas/report.ts';
import type { ContentStore } from '../../../src/downloads/ports.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import {
  body,
  FakeSource,
  filesBelow,
  pdf,
  pick,
  pieces,
  portsOf,
  reportOf,
  sha256,
  temporaryFolder,
} from './fixtures.ts';
import { openFolder } from './folders.ts';

const length = 60_000;
/** `npm run test:long` cancels at each step; every fourth one still meets each kind of step many times. */
const stride = process.env.KILLS === undefined ? 4 : 1;
/** Fetched in two parts; replaces a file of ours; copied from a store. */
const [broken, outdated, kept] = [1, 2, 3];
const before = pdf(20, length);
const wanted = new Map([broken, outdated, kept].map((id) => [id, pdf(id, length)]));
const reports = [...wanted].map(([report_id, bytes]) => reportOf(bytes, { report_id }));

/** Counts the steps of a download: each call of the file system, each question to the service, each chunk. */
class Steps {
  count = 0;
  readonly #at: number;
  readonly #run: () => void;
  readonly #hook = createHook({ init: (_id, type) => type === 'FSREQPROMISE' && this.step() });

  /** Calls `run` while the given step is under way; never for 0. */
  constructor(at: number, run: () => void) {
    this.#at = at;
    this.#run = run;
  }

  step(): void {
    if (++this.count === this.#at) queueMicrotask(this.#run);
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#hook.enable();
    try {
      return await work();
    } finally {
      this.#hook.disable();
    }
  }
}

/** The first link of one report breaks off in the middle, and its rest comes by the second. */
class Host extends FakeSource {
  readonly #steps: Steps;

  constructor(steps: Steps) {
    super();
    this.#steps = steps;
  }

  override downloadLink(...args: Parameters<FakeSource['downloadLink']>) {
    this.#steps.step();
    return super.downloadLink(...args);
  }

  override async openLink(
    link: { readonly report_id: number },
    { resume }: OpenLinkOptions = {},
  ): Promise<FileResponse> {
    this.#steps.step();
    const bytes = wanted.get(link.report_id) ?? assert.fail();
    const start = resume?.from ?? 0;
    const breaks = link.report_id === broken && start === 0;
    const rest = [...pieces(bytes.subarray(start, breaks ? length / 2 : undefined))];
    const step = () => this.#steps.step();
    const served = body(breaks ? [...rest, new Error('reset')] : rest, length - start, step);
    return { ...served, start, total: length };
  }
}

describe('a batch that is cancelled', () => {
  const home = temporaryFolder();

  function folderAt(root: string, source: FakeSource) {
    const store: ContentStore = {
      find: async (hash) => (hash === sha256(wanted.get(kept) ?? before) ? join(home.path, 'kept') : undefined),
    };
    // One slot: one that stays taken would keep the next batch waiting for ever.
    const queue = new DownloadQueue(portsOf(source, { stores: [store] }), 1);
    return openFolder(root, source, { queue });
  }

  it('at any of its steps leaves files that are whole, no others, and the lock in step with them', async function () {
    this.timeout(300_000);
    await writeFile(join(home.path, 'kept'), wanted.get(kept) ?? before);
    const seed = join(home.path, 'seed');
    await mkdir(seed);
    const old = new FakeSource().serve(outdated, before);
    await folderAt(seed, old).download([reportOf(before, { report_id: outdated })]);

    const outcomes = new Set<string>();
    let last = Number.POSITIVE_INFINITY;
    for (let at = 1; at <= last; at += stride) {
      const root = join(home.path, `${at}`);
      await cp(seed, root, { recursive: true });
      const abort = new AbortController();
      let linksThen: number | undefined;
      const steps = new Steps(at, () => {
        linksThen = source.links.length;
        abort.abort();
      });
      const source = new Host(steps);
      const folder = folderAt(root, source);
      const results = await steps.during(() => folder.download(reports, { signal: abort.signal }));
      if (!abort.signal.aborted) last = at;
      const step = `step ${at} of ${steps.count}`;

      assert.equal(
        linksThen ?? source.links.length,
        source.links.length,
        `${step}: a link was asked for after the end`,
      );
      for (const { status, report_id, path = '' } of results) {
        outcomes.add(`${report_id} ${status}`);
        if (status === 'downloaded')
          assert.ok((await readFile(join(root, path))).equals(wanted.get(report_id) ?? before), step);
        else assert.equal(status, 'cancelled', step);
      }
      const done = results.filter(({ status }) => status === 'downloaded').map(({ report_id }) => report_id);
      const files = await filesBelow(root);
      const pdfs = new Set([...done, outdated]);
      assert.deepEqual(files.filter((name) => !/\.(json|csv)$/.test(name)).length, pdfs.size, `${step}: ${files}`);
      assert.ok(!files.some((name) => name.endsWith('.part')), `${step}: ${files}`);
      const rows = await folder.rows();
      assert.deepEqual(rows.map((row) => row.report_id).sort(), [...pdfs].sort(), step);
      for (const row of rows) assert.equal(sha256(await readFile(join(root, 'reports', row.path))), row.sha256, step);

      const again = await folder.download(reports);
      const expected = reports.map(({ report_id }) => (done.includes(report_id) ? 'unchanged' : 'downloaded'));
      assert.deepEqual(pick(again, 'status'), expected, step);
    }
    assert.ok(last > 60, `${last} steps`);
    const both = [broken, outdated, kept].flatMap((id) => [`${id} cancelled`, `${id} downloaded`]);
    assert.deepEqual([...outcomes].sort(), both);
  });
});
