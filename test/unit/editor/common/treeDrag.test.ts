import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import { reportGroups, reportIds } from '../../../../src/editor/common/arguments.ts';
import { dragged, droppedArguments, reportsMime } from '../../../../src/editor/common/treeDrag.ts';

const report = (report_id: number) => ({ kind: 'report', report: { report_id } });
const company = { kind: 'company', company: { company_key: 'XFRA_NWK', company_name: 'N' } };
const year = { kind: 'fiscalYear', companyKey: 'XFRA_NWK', year: { fiscal_year: null, listed: 3 } };
const file = async (id: number) => (id === 7 ? ({ toString: () => 'file:///a%20b.pdf' } as Uri) : undefined);
const never = async () => assert.fail('asked for a file');

describe('what is dragged from a tree', () => {
  it('reads back as the same reports, companies and years', async () => {
    const nodes = [report(5), report(5), report(9), company, year, { kind: 'group' }];
    const [[type, text = ''] = [], ...more] = await dragged(nodes, never);
    assert.equal(type, reportsMime);
    assert.deepEqual(more, []);
    const args = droppedArguments(text);
    assert.deepEqual(reportIds(args), [5, 9]);
    assert.deepEqual(reportGroups(args), [{ companyKey: 'XFRA_NWK' }, { companyKey: 'XFRA_NWK', fiscalYear: null }]);
  });

  it('has the files of those reports whose PDF is here', async () => {
    const carried = new Map(await dragged([report(5), report(7)], file));
    assert.equal(carried.get('text/uri-list'), 'file:///a%20b.pdf');
    assert.equal(new Map(await dragged([report(5)], file)).has('text/uri-list'), false);
  });

  it('is nothing when no report is among it, and what others drag under its type names nothing', async () => {
    assert.deepEqual(await dragged([{ kind: 'group' }, { kind: 'more' }], never), []);
    for (const text of ['', '{', 'null', '"x"', '{"report":1}']) assert.deepEqual(droppedArguments(text), []);
    const args = droppedArguments('["rm -rf", -1, 1e99, {"company": {"company_key": 3}}, null]');
    assert.deepEqual([reportIds(args), reportGroups(args)], [[], []]);
  });
});
