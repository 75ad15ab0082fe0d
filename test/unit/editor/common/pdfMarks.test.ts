import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { type MarkedRow, MarkedRows, type PdfMark, type PdfMarks } from '../../../../src/editor/common/pdfMarks.ts';

describe('the marks of rows', () => {
  const markOf = (state: PdfMark['state']) => ({ state }) as PdfMark;

  function setUp(answers: PdfMark['state'][]) {
    const changed = new Emitter<void>();
    const redrawn: MarkedRow[][] = [];
    let looks = 0;
    let during = () => {};
    const marks = {
      onDidChange: changed.event,
      async look(ids: readonly number[]) {
        const state = answers[Math.min(looks++, answers.length - 1)] ?? 'verified';
        during();
        return new Map(ids.map((id) => [id, markOf(state)]));
      },
    } as unknown as PdfMarks;
    const rows = new MarkedRows<MarkedRow>(marks, silentLogger, (some) => redrawn.push(some));
    return {
      rows,
      redrawn,
      change: () => changed.fire(),
      looks: () => looks,
      onLook: (run: () => void) => {
        during = run;
      },
    };
  }

  it('are those after a change that came while they were looked for', async () => {
    const { rows, change, looks, onLook } = setUp(['unverified', 'verified']);
    onLook(() => {
      if (looks() === 1) change();
    });
    const row: MarkedRow = { report: { report_id: 1 } };
    await rows.add([row]);
    assert.equal(row.mark?.state, 'verified');
    assert.equal(looks(), 2);
    rows.dispose();
  });

  it('are looked for once where nothing changes, and again when something does: only other marks are drawn', async () => {
    const { rows, redrawn, change, looks, onLook } = setUp(['verified', 'verified', 'edited']);
    const row: MarkedRow = { report: { report_id: 1 } };
    await rows.add([row]);
    assert.equal(looks(), 1);
    for (const wanted of [2, 3]) {
      const looked = new Promise<void>((resolve) => onLook(resolve));
      change();
      await looked;
      await new Promise(setImmediate);
      assert.equal(looks(), wanted);
    }
    assert.deepEqual(redrawn, [[row]]);
    assert.equal(row.mark?.state, 'edited');
    rows.dispose();
  });
});
