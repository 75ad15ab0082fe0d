import assert from 'node:assert/strict';
import { reportGroups, reportIds } from '../../../../src/editor/common/arguments.ts';
import { dragged, droppedArguments } from '../../../../src/editor/common/treeDrag.ts';

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
