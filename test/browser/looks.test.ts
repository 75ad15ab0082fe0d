import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launch } from '../../scripts/host/page.ts';
import { installBrowser } from '../../scripts/install/browser.ts';
import type { Side } from '../../src/base/rpc.ts';
import type { PdfFileState } from '../../src/protocol/metadata.ts';
import { Looks } from '../support/browser/looks.ts';
import { acrossCompanies, hostileComparison, threeYears } from '../support/panels/compared.ts';
import { sampleCompany, sampleCompanyInput, sampleCoverage } from '../support/panels/coverage.ts';
import { countedLibrary } from '../support/panels/fieldUse.ts';
import { hostileReport, sampleReport, sparseReport } from '../support/panels/reports.ts';
import { lookedUpSample, manyResolved, resolvedSample } from '../support/panels/resolved.ts';
import { openFacets, sampleChips } from '../support/panels/table.ts';
import { sampleUsage } from '../support/panels/usage.ts';
import { type PreviewOptions, themeNames } from './editorPage.ts';
import {
  axeFindings,
  type OpenPanel,
  openCompany,
  openCompare,
  openCoverage,
  openLookup,
  openReport,
  openResolved,
  openSchema,
  openTable,
  openUsage,
  type Stage,
} from './openPanel.ts';
import { type PreviewServer, startPreviewServer } from './previewServer.ts';

const downloaded: PdfFileState = {
  kind: 'downloaded',
  path: 'reports/XFRA_NWK/2024/XFRA_NWK_2024_SR.pdf',
  verified: true,
  outdated: false,
  served: true,
  edited: false,
};
const liveSchema = {
  kind: 'read',
  dictionary: {
    version: 'V3',
    raw: {},
    fields: [
      {
        column: 'gri_level',
        apiField: 'gri_level',
        type: 'string',
        group: null,
        meaning: 'How deeply the report follows GRI, in the service’s own words.',
        values: ['in accordance', 'referenced', 'not applied'],
        raw: {},
      },
      {
        column: 'std_tnfd',
        apiField: 'standards_tnfd',
        type: 'boolean',
        group: 'Standards',
        meaning: 'The report follows the TNFD recommendations.',
        values: null,
        raw: {},
      },
    ],
  },
} as const;
const unreadable = {
  kind: 'read',
  dictionary: { version: null, fields: [], raw: { schema: { v: 4, columns: 'see <b>elsewhere</b>' } } },
} as const;

const hostileText = '<img src=x onerror="alert(1)"> \u202Egnp.exe\u202C [run](command:workbench.action.quit) ';
const hostileCompany = {
  ...sampleCompanyInput,
  askedFor: 'XFRA_<b>OLD</b>',
  company: { ...sampleCompany, company_name: hostileText.repeat(50), lei: hostileText, country: 'شركة' },
  reports: sampleCompanyInput.reports.map((given) => ({
    ...given,
    report: { ...given.report, report_type: 'ZZ"><b>', assurance_provider: hostileText },
  })),
};
const filtered = sampleCoverage(60, 24, { scope: 'filter', filterWords: 'SR, IR · 2022, 2023 · Germany · <b>x</b>' });
const lookingForGaps = {
  version: 1,
  scope: 'filter',
  look: { family: 'SR', sort: 'gaps', descending: true, gapYear: 2024, filter: '' },
  row: 3,
  column: 6,
  top: 0,
};

type Opener = (stage: Stage, options: PreviewOptions) => Promise<OpenPanel<Side>>;
const contents: Readonly<Record<string, Opener>> = {
  report: (stage, options) => openReport(stage, { report: sampleReport(), file: downloaded }, options),
  'report-sparse': (stage, options) =>
    openReport(
      stage,
      { report: sparseReport, file: { kind: 'none', reason: 'The service has no PDF for this report.' } },
      options,
    ),
  'report-hostile': (stage, options) =>
    openReport(
      stage,
      { report: hostileReport, file: { kind: 'failed', message: 'The service is busy. Try again in a minute.' } },
      options,
    ),
  compare: (stage, options) => openCompare(stage, threeYears, options),
  'compare-across': (stage, options) => openCompare(stage, acrossCompanies, options),
  'compare-hostile': (stage, options) => openCompare(stage, hostileComparison, options),
  usage: (stage, options) => openUsage(stage, sampleUsage(), options),
  schema: (stage, options) => openSchema(stage, liveSchema, options, countedLibrary()),
  'schema-unreadable': (stage, options) => openSchema(stage, unreadable, options),
  resolved: (stage, options) => openResolved(stage, resolvedSample, options),
  'report-keys': (stage, options) => openLookup(stage, lookedUpSample, options),
  company: (stage, options) => openCompany(stage, sampleCompanyInput, options),
  'company-hostile': (stage, options) => openCompany(stage, hostileCompany, options),
  coverage: (stage, options) => openCoverage(stage, sampleCoverage(5000), options),
  'coverage-gaps': (stage, options) => openCoverage(stage, filtered, { ...options, state: lookingForGaps }),
  'table-facets': (stage, options) =>
    openTable(stage, 12_431, { ...options, state: openFacets }, { chips: sampleChips }),
  'table-all': (stage, options) => openTable(stage, 200_000, options),
  'resolved-many': (stage, options) => openResolved(stage, manyResolved(5000), options),
};

describe('panels in the browser', () => {
  let server: PreviewServer;
  let browser: Browser;
  let stage: Stage;
  let looks: Looks;

  before(async () => {
    server = await startPreviewServer([
      'metadata',
      'schemaDictionary',
      'resolveResults',
      'company',
      'coverage',
      'compare',
      'usage',
      'reportTable',
    ]);
    browser = await launch(await installBrowser());
    stage = { browser, origin: server.origin };
    looks = await Looks.open(browser);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [name, openContent] of Object.entries(contents)) {
    // Variants of a panel share its styles: two themes that differ most are enough for them.
    for (const theme of name.includes('-') ? (['dark', 'hc-light'] as const) : themeNames) {
      it(`${name} looks as it did, is accessible and keeps its policy in ${theme}`, async () => {
        const panel = await openContent(stage, { theme });
        // What a page says and how it is built is the same in every theme.
        assert.deepEqual(await axeFindings(panel.page, theme === 'dark' ? 'all' : 'colours'), []);
        assert.deepEqual(panel.faults, []);
        const taken = await panel.screenshot(`${name}-${theme}`);
        if (!name.includes('-')) await looks.compare(taken, `${name}-${theme}`);
        await panel.close();
      });
    }

    it(`${name} fits a narrow column and 200 % zoom`, async () => {
      for (const [size, options] of [
        ['narrow', { width: 340 }],
        ['zoom', { zoom: 2 }],
      ] as const) {
        const panel = await openContent(stage, options);
        await panel.screenshot(`${name}-${size}`);
        const overflow = await panel.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        assert.ok((overflow as number) <= 0, `${size}: ${overflow} px too wide`);
        if (size === 'narrow') assert.deepEqual(await axeFindings(panel.page), []);
        await panel.close();
      }
    });
  }

  it('a report’s marks stand below each other, on one line each, in however many columns', async () => {
    for (const width of [1500, 1100, 620]) {
      const panel = await openReport(stage, { report: sparseReport, file: downloaded }, { width });
      const marks = (await panel.page.evaluate(`[...document.querySelectorAll('.answer-cell')].map((row) => {
        const [cell, name] = [row.querySelector('.value'), row.querySelector('.name')];
        return [row, cell, name].map((one) => Math.round(one.getBoundingClientRect().left)).join(' ') + ' '
          + cell.offsetHeight;
      })`)) as string[];
      const columns = new Set(marks.map((places) => places.split(' ')[0]));
      assert.ok(marks.length > 10, `${marks.length} marks`);
      assert.equal(new Set(marks).size, columns.size, `${width}: ${marks.join(', ')}`);
      await panel.close();
    }
  });

  it('are all compared with their pictures', function () {
    if (looks.reason === undefined && looks.missing.length === 0) return;
    const why = looks.reason ?? `no pictures of ${looks.missing.join(', ')}`;
    process.stdout.write(`Pixels of panels are not compared: ${why}. npm run pictures takes them.\n`);
    this.skip();
  });
});
