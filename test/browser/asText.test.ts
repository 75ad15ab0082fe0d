import assert from 'node:assert/strict';
import type { Side } from '../../src/base/rpc.ts';
import { threeYears } from '../support/panels/compared.ts';
import { companyDownloads, companyReports, sampleCompany } from '../support/panels/coverage.ts';
import { countedLibrary } from '../support/panels/fieldUse.ts';
import { hostileReport, sampleReport } from '../support/panels/reports.ts';
import { sampleUsage } from '../support/panels/usage.ts';
import {
  type OpenPanel,
  openCompany,
  openCompare,
  openReport,
  openSchema,
  openUsage,
  waitForCall,
} from './openPanel.ts';
import { panelStage } from './panelStage.ts';

const available = { kind: 'available' } as const;

describe('a panel as text', () => {
  const stage = panelStage(['metadata', 'company', 'compare', 'schemaDictionary', 'usage']);

  /** The document that View as Text shows. */
  async function textOf(panel: OpenPanel<Side>): Promise<string> {
    const more = panel.page.getByRole('button', { name: 'More' });
    if ((await more.count()) > 0) await more.click();
    await panel.page.getByText('View as Text').click();
    await waitForCall(panel, 'showText');
    assert.deepEqual(panel.faults, []);
    await panel.close();
    const [, shown] = panel.calls.find(([name]) => name === 'showText') ?? [];
    return (shown as { text: string }).text;
  }

  it('has a report’s title, facts, notices, and each field with its value and column', async () => {
    const text = await textOf(await openReport(stage, { report: sampleReport(), file: available, withdrawn: true }));
    assert.match(text, /^# Bewegung mit Maß: Nachhaltigkeitsbericht/m);
    assert.match(text, /^- Fiscal year: 2023\/24 filed under 2024$/m);
    assert.match(text, /^- Withdrawn: the service no longer serves this report/m);
    assert.match(text, /^\| Field \| Value \| Column \|$/m);
    assert.match(text, /^\| SASB \| No \| std\\_sasb \|$/m);
    assert.match(text, /^\| ISSB \| Undetermined \| std\\_issb \|$/m);
    assert.match(text, /^\| SDG goals \| 5 Gender equality 7 .* \| sdg\\_goals \|$/m);
    assert.doesNotMatch(text, /Download PDF|Copy/);
  });

  it('holds whole values, and no markup of theirs', async () => {
    const text = await textOf(await openReport(stage, { report: hostileReport, file: available }));
    assert.match(text, /(long ){400}/);
    assert.match(text, /\\<img src=x onerror="alert\(1\)"\\>/);
    assert.doesNotMatch(text, /(?<!\\)<(img|script|b)|(?<!\\)\]\(command|Show all|[\u202A-\u202E]/);
  });

  it('has a company’s facts, its years cell by cell, standards and assurance', async () => {
    const input = {
      company: sampleCompany,
      askedFor: 'XFRA_NWK',
      reports: companyReports(),
      years: [0, ...Array.from({ length: 12 }, (_, index) => 2014 + index)],
      downloaded: companyDownloads,
    };
    const text = await textOf(await openCompany(stage, input));
    assert.match(text, /^- ISIN: Withheld or unknown; use the LEI or FIGI$/m);
    assert.match(text, /^\| SR Sustainability Report \| 2014: Downloaded \|/m);
    assert.match(text, /two-year report 2018\/19/);
    assert.match(text, /not an audit/);
    assert.match(text, /^- 2017: limited · Hartmann/m);
  });

  it('has a comparison with what differs before what is the same, folded or not', async () => {
    const text = await textOf(await openCompare(stage, threeYears));
    assert.match(text, /^\| Pages pages \| 96 \| 121 \| 148 \|$/m);
    const [differs, agrees] = [text.indexOf('| Pages pages |'), text.indexOf('| Company company |')];
    assert.ok(differs > 0 && agrees > differs);
  });

  it('has the dictionary and how its columns are filled, and the usage', async () => {
    const schema = await textOf(await openSchema(stage, { kind: 'reading' }, {}, countedLibrary()));
    assert.match(schema, /^\| 9 \| filesize File size \| report\\_filesize float \|.*\| \d+% \|$/m);
    const usage = await textOf(await openUsage(stage, sampleUsage()));
    assert.match(usage, /^- Requests: 48,213$/m);
    assert.match(usage, /271 of 300 requests left this minute/);
  });
});
