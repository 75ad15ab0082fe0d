import assert from 'node:assert/strict';
import { memoryState } from '../../../src/base/sharedState.ts';
import { Allowance } from '../../../src/machine/allowance.ts';
import { DownloadCalls, type ToolDownloads } from '../../../src/tools/downloadReports.ts';

/** Windows that share one count, and what each of them downloaded. */
function windowsOf(perWindow: number, perDay: number) {
  const state = memoryState();
  const sent: number[] = [];
  const window = (more: Partial<ToolDownloads> = {}): ToolDownloads => ({
    allowance: new Allowance({ state, name: 'downloads', caps: () => ({ perWindow, perDay }), now: () => 1e12 }),
    wanted: async (named) => {
      const id = Number(String(named).replace('KEY_', ''));
      if (!(id < 100)) return null;
      return { report_id: id, report_key: `KEY_${id}`, title: null, has_file: true, megabytes: id === 9 ? null : 1.5 };
    },
    async download(ids) {
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
    const done = await ask(window(), { reports: [1, 'KEY_2', 'KEY_1'] });
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
    assert.match(String(refused.value.error), /0 more PDFs in this window.*Download PDFs…/);
    assert.match(String((await ask(two, { reports: [4, 5, 6] })).value.error), /2 more PDFs today/);
    await Promise.all([1, 2, 3, 4].map(() => ask(two, { reports: [7, 8] })));
    assert.deepEqual(sent, [1, 2, 3, 7, 8]);
  });

  it('counts only what took a link', async () => {
    const { window } = windowsOf(3, 5);
    const statuses = ['unchanged', 'no-file', 'failed'];
    const ports = window({
      download: async (ids) => ids.map((report_id, at) => ({ report_id, status: statuses[at] ?? '' })),
    });
    await ask(ports, { reports: [1, 2, 3] });
    const spending = await ports.allowance.spending();
    assert.deepEqual([spending?.window, spending?.day], [1, 1]);
  });

  it('downloads nothing for a wrong input or a report that is not listed, and says what to do', async () => {
    const { sent, window } = windowsOf(10, 50);
    const wrong = [
      undefined,
      {},
      { reports: [] },
      { reports: [1], to: '/' },
      { reports: Array(11).fill(1) },
      { reports: [-1] },
    ];
    for (const input of wrong) assert.match(String((await ask(window(), input)).value.error), /Inputs are: reports/);
    assert.match(String((await ask(window(), { reports: [1, 'KEY_999'] })).value.error), /KEY_999.*find_reports/);
    assert.deepEqual(sent, []);
  });

  it('plans what a person confirms: how large it is, and how much was used', async () => {
    const plan = await new DownloadCalls(windowsOf(10, 50).window()).plan({ reports: [1, 9] });
    assert.ok('reports' in plan);
    assert.deepEqual([plan.megabytes, plan.unsized, plan.spending?.perDay], [1.5, 1, 50]);
  });

  it('downloads nothing that nobody was asked about, also where the library lists it only afterwards', async () => {
    const { sent, window } = windowsOf(10, 50);
    let listed = false;
    const ports = window();
    const late = window({ wanted: async (named) => (listed ? ports.wanted(named) : null) });
    const calls = new DownloadCalls(late);
    const input = { reports: ['KEY_5'] };
    assert.ok('text' in (await calls.plan(input)));
    listed = true;
    assert.match((await calls.run(input, never)).text, /Nobody was asked/);
    assert.deepEqual(sent, []);
    await calls.plan(input);
    assert.equal((await calls.run(input, never)).isError, false);
    // What was confirmed once is not confirmed for good.
    assert.match((await calls.run(input, never)).text, /Nobody was asked/);
    assert.deepEqual(sent, [5]);
  });

  it('ends with the call: before it takes from the caps, and in the middle', async () => {
    const { sent, window } = windowsOf(10, 50);
    const ports = window();
    await assert.rejects(ask(ports, { reports: [1] }, AbortSignal.abort()), { name: 'AbortError' });
    assert.deepEqual([sent, (await ports.allowance.spending())?.window], [[], 0]);
    const abort = new AbortController();
    const slow = window({
      async download(ids, signal) {
        abort.abort();
        return ids.map((report_id) => ({ report_id, status: signal.aborted ? 'cancelled' : 'downloaded' }));
      },
    });
    const { value } = await ask(slow, { reports: [1] }, abort.signal);
    assert.match(JSON.stringify(value), /"status":"cancelled"/);
  });
});
