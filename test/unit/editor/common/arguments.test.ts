import assert from 'node:assert/strict';
import { isListOfIds, isOptions, ownPdfs, reportGroups, reportIds } from '../../../../src/editor/common/arguments.ts';

const reportNode = { kind: 'report', report: { report_id: 1 } };
const yearNode = { kind: 'fiscalYear', companyKey: 'XDEM_ACME', year: { fiscal_year: 2024, listed: 2, gone: 0 } };
const undatedNode = { ...yearNode, year: { fiscal_year: null, listed: 1, gone: 0 } };
const companyNode = { kind: 'company', company: { company_key: 'XDEM_ACME' } };

describe('the arguments of commands on reports', () => {
  it('become ids, each once, from ids, nodes and selections', () => {
    assert.deepEqual(reportIds([[3, 4, 3]]), [3, 4]);
    assert.deepEqual(reportIds([7]), [7]);
    assert.deepEqual(reportIds([reportNode, [reportNode, yearNode]]), [1]);
    assert.deepEqual(reportIds([companyNode]), []);
    for (const nonsense of [undefined, null, 'x', -1, 1.5, {}]) assert.deepEqual(reportIds([nonsense]), []);
  });

  it('become ids from the files of the Explorer, when they are PDFs of ours', () => {
    ownPdfs.set('/w/a.pdf', 5);
    const [ours, other] = [{ fsPath: '/w/a.pdf' }, { fsPath: '/w/b.pdf' }];
    assert.deepEqual(reportIds([ours, [ours, other]]), [5]);
    assert.deepEqual(reportIds([other]), []);
    ownPdfs.clear();
  });

  it('name the companies and fiscal years that stand for their reports', () => {
    assert.deepEqual(reportGroups([companyNode, [companyNode, yearNode, undatedNode, reportNode]]), [
      { companyKey: 'XDEM_ACME' },
      { companyKey: 'XDEM_ACME', fiscalYear: 2024 },
      { companyKey: 'XDEM_ACME', fiscalYear: null },
    ]);
    assert.deepEqual(reportGroups([[1, 2]]), []);
  });

  it('tell a program from a person', () => {
    assert.deepEqual([isListOfIds([[1]]), isListOfIds([reportNode])], [true, false]);
    assert.deepEqual([[true], [{}], [], [undefined], [companyNode], [companyNode, [companyNode]]].map(isOptions), [
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
