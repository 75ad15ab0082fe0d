import assert from 'node:assert/strict';
import streamed from 'node:fs';
import fs, { type FileHandle, mkdir, readFile, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { DownloadFolder } from '../../../src/downloads/folder.ts';
import { lockName } from '../../../src/downloads/manifest.ts';
import type { ContentStore } from '../../../src/downloads/ports.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { body, FakeClock, FakeSource, pdf, pieces, portsOf, reportOf, sha256, temporaryFolder } from './fixtures.ts';

/** A file as the disk has it: whether what was written to it has reached the platter. */
interface Inode {
  safe: boolean;
}

const { link, open, rename, unlink } = fs;
const { write, writev } = streamed;
const isName = (path: string) => !path.endsWith('.part');

/**
 * Watches what is asked of the file system, and holds against each step what a power cut right after it could leave: a
 * name reaches the disk at any time, bytes only once they were synced, and a name for sure once its folder was.
 */
class Platter {
  readonly #files = new Map<string, Inode>();
  readonly #open = new Map<number, Inode | undefined>();
  /** Final names that a power cut could still take back. */
  readonly unsure = new Set<string>();
  /** Final names in the order in which they were given. */
  readonly given: string[] = [];
  synced = 0;

  watch(): void {
    Object.assign(fs, {
      open: async (...args: Parameters<typeof open>) => {
        const handle = await open(...args);
        const [path, flags] = [String(args[0]), args[1]];
        if (flags === 'wx+') this.#files.set(path, { safe: false });
        return this.#watched(handle, path);
      },
      link: async (...[from, to]: Parameters<typeof link>) => {
        await link(from, to);
        this.#name(String(from), String(to));
      },
      rename: async (...[from, to]: Parameters<typeof rename>) => {
        await rename(from, to);
        this.#name(String(from), String(to));
        this.#files.delete(String(from));
      },
      unlink: async (path: string) => {
        await unlink(path);
        this.#files.delete(path);
      },
    });
    const noting =
      (run: (...args: never[]) => void) =>
      (...args: never[]) => {
        const inode = this.#open.get(Number(args[0]));
        if (inode) inode.safe = false;
        run(...args);
      };
    Object.assign(streamed, { write: noting(write), writev: noting(writev) });
    syncBuiltinESMExports();
  }

  #watched(handle: FileHandle, path: string): FileHandle {
    // Found by handle from here on, whatever the file is called later.
    const inode = this.#files.get(path);
    this.#open.set(handle.fd, inode);
    const writing =
      <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
      async (...args: A) => {
        if (inode) inode.safe = false;
        return run.apply(handle, args);
      };
    const sync = handle.sync.bind(handle);
    return Object.assign(handle, {
      write: writing(handle.write),
      writev: writing(handle.writev),
      writeFile: writing(handle.writeFile),
      truncate: writing(handle.truncate),
      sync: async () => {
        const names = [...this.unsure].filter((name) => dirname(name) === path);
        await sync();
        this.synced++;
        if (inode) inode.safe = true;
        for (const name of names) this.unsure.delete(name);
      },
    });
  }

  #name(from: string, to: string): void {
    const inode = this.#files.get(from);
    if (inode) this.#files.set(to, inode);
    if (!isName(to)) return;
    assert.ok(inode?.safe, `${to} got its name before its bytes were on the disk`);
    this.given.push(basename(to));
    this.unsure.add(to);
  }
}

describe('a power cut', () => {
  const home = temporaryFolder();
  afterEach(() => {
    Object.assign(fs, { link, open, rename, unlink });
    Object.assign(streamed, { write, writev });
    syncBuiltinESMExports();
  });

  const bytes = new Map([1, 2, 3, 4].map((id) => [id, pdf(id, 2_200_000)]));
  const reports = [...bytes].map(([report_id, content]) => reportOf(content, { report_id }));
  const old = pdf(9);

  function folderWith(source: FakeSource, kept: string) {
    const store: ContentStore = { find: async (hash) => (hash === sha256(bytes.get(4) ?? old) ? kept : undefined) };
    const ports = portsOf(source, { stores: [store] });
    return new DownloadFolder({
      ...{ root: join(home.path, 'root'), folder: 'reports', clock: new FakeClock(), logger: silentLogger },
      queue: new DownloadQueue(ports, 2),
    });
  }

  /** New; in two parts; in place of one of ours; copied from a store. */
  async function run(platter: Platter) {
    const kept = join(home.path, 'kept');
    await writeFile(kept, bytes.get(4) ?? old);
    await mkdir(join(home.path, 'root'));
    await folderWith(new FakeSource().serve(3, old), kept).download([reportOf(old, { report_id: 3 })]);
    const source = new FakeSource();
    for (const [id, content] of bytes) source.serve(id, content);
    const whole = bytes.get(2) ?? old;
    const half = pieces(whole.subarray(0, 1_500_000));
    source.serve(2, body([...half, new Error('reset')], whole.length), whole);
    platter.watch();
    return folderWith(source, kept);
  }

  it('leaves no name with bytes that are not on the disk, whenever it comes', async () => {
    const platter = new Platter();
    const results = await (await run(platter)).download(reports);
    assert.deepEqual(
      results.map(({ status, verified }) => [status, verified]),
      Array(4).fill(['downloaded', true]),
    );
    assert.equal(platter.given.filter((name) => name.endsWith('.pdf')).length, 4);
    assert.deepEqual(
      platter.given.filter((name) => !name.endsWith('.pdf')),
      [lockName, 'reports.csv'],
    );
    for (const { report_id, path = '' } of results)
      assert.ok((await readFile(join(home.path, 'root', path))).equals(bytes.get(report_id) ?? old));
  });

  it('takes back no name once the download is told to be done, nor one that the lock speaks of', async function () {
    if (process.platform === 'win32') this.skip();
    const platter = new Platter();
    const folder = await run(platter);
    const unsure = (end: string) => [...platter.unsure].filter((name) => name.endsWith(end));
    await folder.download(reports, {
      onResult: ({ path }) => assert.deepEqual(unsure(basename(path ?? '')), []),
    });
    assert.equal(platter.given.indexOf(lockName), 4, 'the lock was written before the files');
    assert.deepEqual([...platter.unsure], []);
    assert.ok(platter.synced > 6, `${platter.synced} times`);
  });
});
