import assert from 'node:assert/strict';
import type { Report } from '../../../../src/api/schemas/report.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { comparePanel, reportsToCompare } from '../../../../src/editor/panels/comparePanel.ts';
import type { Block } from '../../../../src/protocol/blocks.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';
import { sampleReport } from '../../../support/panels/reports.ts';

type Ports = Parameters<typeof comparePanel>[1];

const node = (report_id: number) => ({ kind: 'report', report: { report_id } });

describe('the reports to compare', () => {
  it('are those that a program names, each once', () => {
    assert.deepEqual(reportsToCompare([[3, 4, 3]]), { ids: [3, 4], isWhole: true });
    assert.throws(() => reportsToCompare([[3, 3]]), /You selected 1\./);
    assert.throws(() => reportsToCompare([[1, 2, 3, 4, 5, 6, 7]]), /You selected 7\./);
  });

  it('are those that are selected in a tree, and the rest is asked for', () => {
    assert.deepEqual(reportsToCompare([node(1), [node(1), node(2)]]), { ids: [1, 2], isWhole: true });
    assert.deepEqual(reportsToCompare([node(1)]), { ids: [1], isWhole: false });
    assert.deepEqual(reportsToCompare([]), { ids: [], isWhole: false });
    const seven = [1, 2, 3, 4, 5, 6, 7].map(node);
    assert.throws(() => reportsToCompare([seven[0], seven]), /Select 2 to 6 reports to compare/);
  });
});

describe('the comparison of reports', () => {
  const unread = () => {
    throw new Error('No such report.');
  };
  const nothingHere: Ports['localReport'] = async () => ({ withdrawn: false, file: null });

  /** What the page is told of reports 1, 2 and 3. */
  async function compared(readReport: (reportId: number) => Report, localReport: Ports['localReport'] = nothingHere) {
    const { panel, say, last, close } = openPanel();
    const asked = { report: async (id: number) => ({ report: readReport(id) }) };
    const services = { library: async () => ({ library: { withSignal: () => asked } }) };
    comparePanel(panel, { services, log: silentLogger, localReport } as unknown as Ports, [1, 2, 3]);
    say({ kind: 'event', name: 'ready', data: null });
    await settled();
    close();
    const { blocks = [] } = (last('show') ?? {}) as { blocks?: readonly Block[] };
    const found = (kind: Block['kind']) => blocks.find((block) => block.kind === kind);
    const heads = JSON.stringify(found('comparison') ?? null).matchAll(/"link":"(\d+)"/g);
    const notices = [...JSON.stringify(found('notices') ?? null).matchAll(/"text":"(.*?)"/g)].map(([, text]) => text);
    return { ids: Array.from(heads, ([, id]) => Number(id)), notices, problem: last('problem') };
  }
  const reportOf = (report_id: number) => sampleReport({ report_id, report_title: String(report_id) });
  const oneFailed = { ids: [1, 3], notices: ['Report 2 could not be read. No such report.'], problem: undefined };

  it('keeps the others when one can’t be read, and says which one', async () => {
    assert.deepEqual(await compared(reportOf), { ids: [1, 2, 3], notices: [], problem: undefined });
    assert.deepEqual(await compared((id) => (id === 2 ? unread() : reportOf(id))), oneFailed);
    const local: Ports['localReport'] = async (id) => (id === 2 ? unread() : nothingHere(id));
    assert.deepEqual(await compared(reportOf, local), oneFailed);
  });

  it('says of each report why there is no comparison when only one is left', async () => {
    const { ids, problem } = await compared((id) => (id === 2 ? reportOf(id) : unread()));
    assert.deepEqual(ids, []);
    const message = 'Report 1 could not be read. No such report. Report 3 could not be read. No such report.';
    assert.deepEqual(problem, { message });
  });
});
