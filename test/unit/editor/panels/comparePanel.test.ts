import assert from 'node:assert/strict';
import { reportsToCompare } from '../../../../src/editor/panels/comparePanel.ts';

const node = (report_id: number) => ({ kind: 'report', report: { report_id } });

describe('the reports to compare', () => {
  it('are those that a program names, each once', () => {
    assert.deepEqual(reportsToCompare([[3, 4, 3]]), { ids: [3, 4], isWhole: true });
    assert.throws(() => reportsToCompare([[3, 3]]), /; 1 is chosen\./);
    assert.throws(() => reportsToCompare([[1, 2, 3, 4, 5, 6, 7]]), /; 7 are chosen\./);
  });

  it('are those that are selected in a tree, and the rest is asked for', () => {
    assert.deepEqual(reportsToCompare([node(1), [node(1), node(2)]]), { ids: [1, 2], isWhole: true });
    assert.deepEqual(reportsToCompare([node(1)]), { ids: [1], isWhole: false });
    assert.deepEqual(reportsToCompare([]), { ids: [], isWhole: false });
    const seven = [1, 2, 3, 4, 5, 6, 7].map(node);
    assert.throws(() => reportsToCompare([seven[0], seven]), /Between 2 and 6 reports can be compared/);
  });
});
