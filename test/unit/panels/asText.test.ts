import assert from 'node:assert/strict';
import { blocksText } from '../../../src/panels/asText.ts';
import { companyBlocks } from '../../../src/panels/company.ts';
import { compareBlocks, inReadingOrder } from '../../../src/panels/compare.ts';
import { reportBlocks } from '../../../src/panels/report.ts';
import { threeYears } from '../../support/panels/compared.ts';
import { sampleCompanyInput } from '../../support/panels/coverage.ts';
import { hostileReport, sampleReport } from '../../support/panels/reports.ts';

const file = { kind: 'available' } as const;

describe('a panel as text', () => {
  it('has a report’s title, facts, notices, and each field with its whole value and its column', () => {
    const text = blocksText(reportBlocks({ report: sampleReport(), withdrawn: true, file }, 'en'));
    assert.match(text, /^# Bewegung mit Maß: Nachhaltigkeitsbericht/m);
    assert.match(text, /^- Fiscal year: 2023\/24 filed under 2024$/m);
    assert.match(text, /^- Withdrawn: the service no longer serves this report/m);
    assert.match(text, /^\| Field \| Value \| Column \|$/m);
    assert.match(text, /^\| SASB \| No \| std\\_sasb \|$/m);
    assert.match(text, /^\| ISSB \| Undetermined \| std\\_issb \|$/m);
    assert.doesNotMatch(text, /Download PDF|Copy/);
    const hostile = blocksText(reportBlocks({ report: hostileReport, withdrawn: false, file }, 'en'));
    assert.match(hostile, /(long ){400}/);
    assert.match(hostile, /\\<img src=x onerror="alert\(1\)"\\>/);
    assert.doesNotMatch(hostile, /(?<!\\)<(img|script|b)|(?<!\\)\]\(command|Show all|[\u202A-\u202E]/);
  });

  it('has a company’s years cell by cell, and a comparison folded or not', () => {
    const company = blocksText(companyBlocks(sampleCompanyInput, 'en'));
    assert.match(company, /^\| SR Sustainability Report \| 2014: Downloaded \|/m);
    assert.match(company, /not an audit/);
    assert.match(company, /^- 2017: limited · Hartmann/m);
    const compared = blocksText(compareBlocks(inReadingOrder(threeYears), [], 'en'));
    assert.match(compared, /^\| Pages pages \| 96 \| 121 \| 148 \|$/m);
    const [differs, agrees] = [compared.indexOf('| Pages pages |'), compared.indexOf('| Company company |')];
    assert.ok(differs > 0 && agrees > differs);
  });
});
