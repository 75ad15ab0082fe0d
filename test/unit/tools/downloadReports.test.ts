import assert from 'node:assert/strict';
import { memoryState } from '../../../src/base/sharedState.ts';
import { Allowance } from '../../../src/machine/allowance.ts';
import { downloadReports, planDownload, type ToolDownloads } from '../../../src/tools/downloadReports.ts';

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

const ask = async (ports: ToolDownloads, input: unknown) => {
  const { text, isError } = await downloadReports(input, ports);
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
    const plan = await planDownload({ reports: [1, 9] }, windowsOf(10, 50).window());
    assert.ok('reports' in plan);
    assert.deepEqual([plan.megabytes, plan.unsized, plan.spending?.perDay], [1.5, 1, 50]);
  });
});
