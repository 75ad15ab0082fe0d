import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Reply } from '../../../src/library/channel.ts';
import { LibraryHost } from '../../../src/library/libraryHost.ts';
import type { LibraryMethods } from '../../../src/library/libraryMethods.ts';
import { temporaryDirectory } from './support/stores.ts';
import { wireReport } from './support/wireReports.ts';

/** A page with so much white space in it that it counts as a large one. */
function page(n: number, bytes: number): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify({ data: [wireReport(n)], page_info: { count: 1, has_more: false, next_cursor: null } });
  return new Uint8Array(new TextEncoder().encode(text.padEnd(bytes)));
}

/** A host, and a promise for each of its answers. */
class Bench {
  readonly #directory = temporaryDirectory();
  readonly #answers = new Map<number, (reply: Reply) => void>();
  readonly #rested = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #asked = Promise.withResolvers<void>();
  readonly host: LibraryHost;
  readonly answered: number[] = [];
  rests = 0;
  ends = 0;
  #lastId = 0;

  constructor() {
    this.host = new LibraryHost(
      {
        ...{ path: join(this.#directory.path, 'library.db'), pollInterval: 0, now: () => 0, restAfter: 1 },
        endLoad: () => this.#endLoad(),
        rest: () => {
          this.rests++;
          this.#rested.resolve();
        },
      },
      ({ message }) => {
        if (message.kind === 'closed') this.#directory.remove();
        else if ('id' in message) {
          this.answered.push(message.id);
          this.#answers.get(message.id)?.(message);
        }
      },
    );
  }

  /** Settles when another thread is to end the load. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  /** Says that it has. */
  end(): void {
    this.#ended.resolve();
  }

  #endLoad(): Promise<void> {
    this.ends++;
    this.#asked.resolve();
    return this.#ended.promise;
  }

  get rested(): Promise<void> {
    return this.#rested.promise;
  }

  call(method: keyof LibraryMethods, ...values: unknown[]): Promise<Reply> {
    const id = ++this.#lastId;
    const answer = new Promise<Reply>((resolve) => this.#answers.set(id, resolve));
    this.host.receive({ kind: 'call', id, method, values });
    return answer;
  }

  take(bytes: Uint8Array): Promise<Reply> {
    return this.call('takeReports', { incoming: { bytes, serverTime: null }, chain: null, generation: null });
  }
}

describe('the library’s side of the channel', () => {
  let bench: Bench;

  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.host.receive({ kind: 'close' }));

  it('frees the bytes of a page as soon as they are read, also of one that can’t be', async () => {
    const [good, bad] = [page(1, 5000), new Uint8Array(5000)];
    assert.equal((await bench.take(good)).kind, 'result');
    assert.equal((await bench.take(bad)).kind, 'failure');
    // The bytes go after the answer, before the next call is begun.
    const totals = await bench.call('totals');
    assert.ok(totals.kind === 'result' && (totals.value as { listed: number }).listed === 1);
    assert.deepEqual([good.byteLength, bad.byteLength], [0, 0]);
  });

  it('clears up once pages have come in and nothing more is asked', async () => {
    await bench.take(page(1, 1000));
    for (let n = 1; n <= 3; n++) await bench.take(page(n, 3 * 1024 * 1024));
    await bench.rested;
    assert.equal(bench.rests, 1);
    const totals = await bench.call('totals');
    assert.ok(totals.kind === 'result' && (totals.value as { listed: number }).listed === 3);
    assert.equal(bench.rests, 1, 'a question leaves nothing to clear up');
  });

  it('answers questions while another thread ends a first load, and writes nothing meanwhile', async () => {
    await bench.take(page(1, 1000));
    const lease = await bench.call('acquireLease', 'here', 60_000);
    assert.ok(lease.kind === 'result');
    const { generation } = lease.value as { generation: number };
    const before = bench.answered.length;
    const written: Reply[] = [];
    const ending = bench.call('updateSync', { phase: 'following' }, generation);
    const renewing = bench.call('renewLease', generation, 60_000);
    for (const write of [ending, renewing]) void write.then((reply) => written.push(reply));
    await bench.asked;
    const found = await bench.call('reports', { type: ['SR'] }, { limit: 10 });
    const totals = await bench.call('totals');
    assert.deepEqual([found.kind, totals.kind], ['result', 'result']);
    assert.deepEqual(written, []);
    bench.end();
    assert.deepEqual([(await ending).kind, (await renewing).kind], ['result', 'result']);
    assert.deepEqual(
      bench.answered.slice(before).map((id) => id - before),
      [3, 4, 1, 2],
    );
    // This other thread has made nothing, so the call did; now there is nothing left to make.
    assert.equal((await bench.call('updateSync', { phase: 'following' }, generation)).kind, 'result');
    assert.equal(bench.ends, 1);
  });
});
