import assert from 'node:assert/strict';
import { memoryState } from '../../../src/base/sharedState.ts';
import { Allowance } from '../../../src/machine/allowance.ts';
import { DownloadCalls, type ToolDownloads, type WantedReport } from '../../../src/tools/downloadReports.ts';

function listed(named: number | string): WantedReport | null {
  const id = typeof named === 'number' ? named : Number(/^KEY_(\d+)$/.exec(named)?.[1]);
  if (!(id < 100)) return null;
  return { report_id: id, report_key: `KEY_${id}`, title: null, has_file: true, megabytes: id === 9 ? null : 1.5 };
}

/** Windows that share one count, and what each of them downloaded. */
function windowsOf(perWindow: number, perDay: number) {
  const state = memoryState();
  const sent: number[] = [];
  const window = (more: Partial<ToolDownloads> = {}): ToolDownloads => ({
    allowance: new Allowance({ state, name: 'downloads', caps: () => ({ perWindow, perDay }), now: () => 1e12 }),
    wanted: async (named) => ({ connection: 'demo', reports: named.map(listed) }),
    async download(ids, { connection, onStart }) {
      assert.equal(connection, 'demo');
      onStart();
      sent.push(...ids);
      return ids.map((report_id) => ({ report_id, status: 'downloaded', path: `${report_id}.pdf`, sha256: 'ab' }));
    },
    ...more,
  });
  return { sent, window };
}

const never = new AbortController().signal;

/** A call as the editor makes it: planned, confirmed, run. */
const ask = async (ports: ToolDownloads, input: unknown, signal = never) => {
  const calls = new DownloadCalls(ports);
  await calls.plan(input);
  const { text, isError } = await calls.run(input, signal);
  return { isError, value: JSON.parse(text) as Record<string, unknown> };
};

describe('The tool that downloads', () => {
  it('answers path and hash, never a link', async () => {
    const { window } = windowsOf(10, 50);
    const done = await ask(window(), { reports: ['1', 'KEY_2', 'KEY_1'] });
    assert.match(String(done.value.note), /data, never instructions/);
    assert.deepEqual(done.value.results, [
      { report_id: 1, report_key: 'KEY_1', status: 'downloaded', path: '1.pdf', sha256: 'ab' },
      { report_id: 2, report_key: 'KEY_2', status: 'downloaded', path: '2.pdf', sha256: 'ab' },
    ]);
    const failing = window({
      download: async () => [
        { report_id: 1, status: 'failed', reason: 'No answer of https://x.test/a?sig=CANARY now' },
      ],
    });
    assert.doesNotMatch(JSON.stringify(await ask(failing, { reports: [1] })), /CANARY|https/);
  });

  it('keeps to its caps over windows, whoever confirms', async () => {
    const { sent, window } = windowsOf(3, 5);
    const [one, two] = [window(), window()];
    assert.equal((await ask(one, { reports: [1, 2, 3] })).isError, false);
    const refused = await ask(one, { reports: [4] });
    assert.ok(refused.isError);
    assert.match(String(refused.value.error), /no more PDFs in this window.*Download PDFs…/);
    assert.match(String((await ask(two, { reports: [4, 5, 6] })).value.error), /2 more PDFs today/);
    await Promise.all([1, 2, 3, 4].map(() => ask(two, { reports: [7, 8] })));
    assert.deepEqual(sent, [1, 2, 3, 7, 8]);
  });

  it('counts only what took a link', async () => {
    const { window } = windowsOf(3, 5);
    const statuses = ['unchanged', 'failed', 'downloaded'];
    const ports = window({
      download: async (ids, { onStart, onEnd }) => {
        onStart();
        onEnd(1);
        return ids.map((report_id, at) => ({ report_id, status: statuses[at] ?? '' }));
      },
    });
    await ask(ports, { reports: [1, 2, 3] });
    const spending = await ports.allowance.spending();
    assert.deepEqual([spending?.window, spending?.day], [1, 1]);
  });

  it('downloads nothing for a wrong input or a report that is not listed, and says what to do', async () => {
    const { sent, window } = windowsOf(10, 50);
    const lists = [[], Array(11).fill(1), [-1]].map((reports) => ({ reports }));
    const wrong = [undefined, {}, ...lists, { reports: [1], to: '/' }];
    for (const input of wrong) assert.match(String((await ask(window(), input)).value.error), /Inputs are: reports/);
    assert.match(String((await ask(window(), { reports: [1, 'KEY_999'] })).value.error), /KEY_999.*find_reports/);
    assert.deepEqual(sent, []);
  });

  it('plans what a person confirms: how large it is, and how much was used', async () => {
    const plan = await new DownloadCalls(windowsOf(10, 50).window()).plan({ reports: [1, 9] });
    assert.ok('reports' in plan);
    assert.deepEqual([plan.megabytes, plan.unsized, plan.spending?.perDay], [1.5, 1, 50]);
  });

  it('downloads nothing that nobody was asked about, also where the library lists it only afterward', async () => {
    const { sent, window } = windowsOf(10, 50);
    let isListed = false;
    const ports = window();
    const late = window({ wanted: (named) => ports.wanted(isListed ? named : named.map(() => 'none')) });
    const calls = new DownloadCalls(late);
    const input = { reports: ['KEY_5'] };
    assert.ok('text' in (await calls.plan(input)));
    isListed = true;
    assert.match((await calls.run(input, never)).text, /Nobody was asked/);
    assert.deepEqual(sent, []);
    await calls.plan(input);
    assert.equal((await calls.run(input, never)).isError, false);
    // What was confirmed once is not confirmed for good.
    assert.match((await calls.run(input, never)).text, /Nobody was asked/);
    assert.deepEqual(sent, [5]);
  });

  it('downloads nothing of another connection that has other reports under the ids that were confirmed', async () => {
    const { sent, window } = windowsOf(10, 50);
    let [connection, name] = ['demo', 'DEMO'];
    const ports = window({
      wanted: async (named) => ({
        connection,
        reports: named.map((each) => ({ ...listed(each), report_key: `${name}_1` }) as WantedReport),
      }),
    });
    const calls = new DownloadCalls(ports);
    const input = { reports: [1] };
    for (const change of [() => (connection = 'real'), () => (name = 'REAL')]) {
      await calls.plan(input);
      change();
      assert.match((await calls.run(input, never)).text, /Nobody was asked/);
    }
    // Two dialogs about the same input, and each about another report: neither stands for the other.
    await calls.plan(input);
    connection = 'third';
    assert.ok('text' in (await calls.plan(input)));
    assert.match((await calls.run(input, never)).text, /Nobody was asked/);
    assert.deepEqual(sent, []);
  });

  it('makes two identical calls that were both confirmed, and keeps no dialog for good that was cancelled', async () => {
    const { sent, window } = windowsOf(10, 50);
    const calls = new DownloadCalls(window());
    const input = { reports: [5] };
    await Promise.all([calls.plan(input), calls.plan(input)]);
    const done = await Promise.all([calls.run(input, never), calls.run(input, never)]);
    assert.deepEqual(
      [done.map(({ isError }) => isError), sent],
      [
        [false, false],
        [5, 5],
      ],
    );
    await calls.plan(input);
    for (let count = 0; count < 100; count += 1)
      await calls.plan({ reports: [1 + (count % 99), 1 + ((7 * count) % 98)] });
    assert.match((await calls.run(input, never)).text, /Nobody was asked/);
  });

  it('gives back what a download that failed before its first link had taken, and nothing after it', async () => {
    const { window } = windowsOf(10, 50);
    const used = async (isStarted: boolean) => {
      const ports = window({
        async download(_, { onStart }) {
          if (isStarted) onStart();
          throw new Error('The folder is gone.');
        },
      });
      await assert.rejects(ask(ports, { reports: [1, 2] }), /folder is gone/);
      return (await ports.allowance.spending())?.window;
    };
    assert.deepEqual([await used(false), await used(true)], [0, 2]);
  });

  it('asks nobody where the caps will refuse, and says so in words that fit', async () => {
    const plan = async (perWindow: number, perDay: number, reports: number[]) => {
      const said = await new DownloadCalls(windowsOf(perWindow, perDay).window()).plan({ reports });
      return 'text' in said ? said.text : 'asked';
    };
    assert.match(await plan(0, 0, [1]), /no more PDFs in this window\. Don't call again/);
    assert.match(await plan(9, 0, [1]), /no more PDFs today/);
    assert.match(
      await plan(2, 5, [1, 2, 3]),
      /may download 2 more PDFs in this window\. Call again with at most that many/,
    );
    assert.equal(await plan(2, 5, [1, 2]), 'asked');
    const blind = windowsOf(2, 5).window();
    const allowance = { spending: async () => null } as unknown as Allowance;
    const said = await new DownloadCalls({ ...blind, allowance }).plan({ reports: [1] });
    assert.ok('text' in said && /can't be counted/.test(said.text));
  });

  it('ends with the call: before it takes from the caps, and in the middle', async () => {
    const { sent, window } = windowsOf(10, 50);
    const ports = window();
    await assert.rejects(ask(ports, { reports: [1] }, AbortSignal.abort()), { name: 'AbortError' });
    assert.deepEqual([sent, (await ports.allowance.spending())?.window], [[], 0]);
    const abort = new AbortController();
    const slow = window({
      async download(ids, { signal }) {
        abort.abort();
        return ids.map((report_id) => ({ report_id, status: signal.aborted ? 'cancelled' : 'downloaded' }));
      },
    });
    const { value } = await ask(slow, { reports: [1] }, abort.signal);
    assert.match(JSON.stringify(value), /"status":"cancelled"/);
  });
});
