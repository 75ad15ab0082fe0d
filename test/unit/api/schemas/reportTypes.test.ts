import assert from 'node:assert/strict';
import {
  isCoreReportType,
  knownReportTypes,
  reportClasses,
  reportClassName,
  reportTypeName,
} from '../../../../src/api/schemas/reportTypes.ts';

describe('report types', () => {
  it('are 33 with a name each, four of them core (TYP-1)', () => {
    assert.equal(knownReportTypes.length, 33);
    assert.deepEqual(knownReportTypes.filter(isCoreReportType), ['SR', 'IR', 'AR2', 'AR1']);
    assert.equal(new Set(knownReportTypes.map(reportTypeName)).size, 33);
    for (const code of knownReportTypes) assert.doesNotMatch(reportTypeName(code), /^Specialty/, code);
    assert.equal(reportTypeName('MSST'), 'Modern Slavery Statement');
  });

  it('that are not known are specialty disclosures and keep their code, whatever it is', () => {
    for (const code of ['ZZZZ', 'sr', 'constructor', '__proto__', '']) {
      assert.equal(reportTypeName(code), `Specialty disclosure (${code})`);
      assert.equal(isCoreReportType(code), false);
    }
  });
});

describe('report classes', () => {
  it('are four, each in words (TYP-2)', () => {
    assert.deepEqual(reportClasses, ['D', 'E', 'S', 'F']);
    assert.equal(new Set(reportClasses.map(reportClassName)).size, 4);
  });
});
