import assert from 'node:assert/strict';
import {
  dragged,
  draggedQuotes,
  droppedArguments,
  reportGroups,
  reportIds,
} from '../../../../src/editor/common/arguments.ts';
import { TreeDragController } from '../../../../src/editor/common/treeDrag.ts';

const report = (report_id: number) => ({ kind: 'report', report: { report_id } });
const company = { kind: 'company', company: { company_key: 'XFRA_NWK', company_name: 'N' } };
const year = { kind: 'fiscalYear', companyKey: 'XFRA_NWK', year: { fiscal_year: null, listed: 3 } };

describe('what is dragged from a tree', () => {
  it('reads back as the same reports, companies and years', () => {
    const nodes = [report(5), report(5), report(9), company, year, { kind: 'group' }];
    const args = droppedArguments(dragged(nodes) ?? '');
    assert.deepEqual(reportIds(args), [5, 9]);
    assert.deepEqual(reportGroups(args), [{ companyKey: 'XFRA_NWK' }, { companyKey: 'XFRA_NWK', fiscalYear: null }]);
  });

  it('is nothing when no report is among it, and what others drag under its type names nothing', () => {
    assert.equal(dragged([{ kind: 'group' }, { kind: 'more' }]), undefined);
    for (const text of ['', '{', 'null', '"x"', '{"report":1}']) assert.deepEqual(droppedArguments(text), []);
    const args = droppedArguments('["rm -rf", -1, 1e99, {"company": {"company_key": 3}}, null]');
    assert.deepEqual([reportIds(args), reportGroups(args)], [[], []]);
  });
});

describe('quotes that are dragged', () => {
  it('are pages that a search found, though they name a report, and rows of evidence', () => {
    const found = { sha256: 'a', page: 3, snippet: 'words', marks: [] };
    const hit = { ...report(5), kind: 'hit', found };
    const row = { record: { id: 'abcd' }, state: 'same' };
    assert.deepEqual(draggedQuotes([hit, row, report(5), company, null]), [{ kind: 'hit', found }, { id: 'abcd' }]);
  });
});

describe('what is selected', () => {
  it('is the latest of what a person sees: a row of a view that is hidden is not meant', () => {
    const drag = new TreeDragController();
    const views = [5, 9].map((id) => {
      let select = (_event: { selection: readonly unknown[] }) => {};
      const view = {
        visible: true,
        selection: [report(id)],
        onDidChangeSelection: (told: typeof select) => (select = told),
      };
      drag.follow(view as never);
      return { view, select: () => select(view) };
    });
    assert.deepEqual(drag.selection, []);
    for (const { select } of views) select();
    assert.deepEqual(reportIds([drag.selection]), [9]);
    const [first, last] = views;
    if (last) last.view.visible = false;
    assert.deepEqual(reportIds([drag.selection]), [5]);
    if (first) first.view.visible = false;
    assert.deepEqual(drag.selection, []);
  });
});
