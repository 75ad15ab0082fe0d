import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { launch } from '../../scripts/host/page.ts';
import { installBrowser } from '../../scripts/install/browser.ts';
import { l10n } from '../../src/base/l10n.ts';
import type { Side } from '../../src/base/rpc.ts';
import { Looks } from '../support/browser/looks.ts';
import { hostileComparison, threeYears } from '../support/panels/compared.ts';
import { sampleCompany, sampleCompanyInput, sampleCoverage } from '../support/panels/coverage.ts';
import { countedLibrary } from '../support/panels/fieldUse.ts';
import { downloadedPdf, hostileReport, sampleReport, sparseReport } from '../support/panels/reports.ts';
import { lookedUpSample, resolvedSample } from '../support/panels/resolved.ts';
import { openFacets, sampleChips } from '../support/panels/table.ts';
import { sampleUsage } from '../support/panels/usage.ts';
import { outside, pseudoTag, pseudoWords } from '../support/pseudo.ts';
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

const downloaded = { ...downloadedPdf, path: 'reports/XFRA_NWK/2024/XFRA_NWK_2024_SR.pdf' };
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
  look: { family: 'SR', sort: 'gaps', descending: true, gapYear: 2024, filter: '' },
  row: 3,
  column: 6,
  top: 0,
};

type Opener = (stage: Stage, options: PreviewOptions) => Promise<OpenPanel<Side>>;
const panels: Readonly<Record<string, Opener>> = {
  report: (stage, options) => openReport(stage, { report: sampleReport(), file: downloaded }, options),
  compare: (stage, options) => openCompare(stage, threeYears, options),
  usage: (stage, options) => openUsage(stage, sampleUsage(), options),
  schema: (stage, options) => openSchema(stage, liveSchema, options, countedLibrary()),
  resolved: (stage, options) => openResolved(stage, resolvedSample, options),
  company: (stage, options) => openCompany(stage, sampleCompanyInput, options),
  coverage: (stage, options) => openCoverage(stage, sampleCoverage(5000), options),
  'table-facets': (stage, options) =>
    openTable(stage, 12_431, { width: 1300, ...options, state: openFacets }, { chips: sampleChips }),
};
/** Panels of other contents, whose styles are the same. */
const variants: Readonly<Record<string, Opener>> = {
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
  'compare-hostile': (stage, options) => openCompare(stage, hostileComparison, options),
  'schema-unreadable': (stage, options) => openSchema(stage, unreadable, options),
  'company-hostile': (stage, options) => openCompany(stage, hostileCompany, options),
  'coverage-gaps': (stage, options) => openCoverage(stage, filtered, { ...options, state: lookingForGaps }),
};

/** Reads colors as the browser paints them, each over what is behind it. */
const contrasts = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const paint = (color, behind) => {
    canvas.fillStyle = 'rgb(' + behind.join(' ') + ')';
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  // A page has few colors and thousands of elements, and reading a pixel is slow.
  const painted = new Map();
  const over = (color, behind) => {
    const key = color + ' over ' + behind.join(' ');
    if (!painted.has(key)) painted.set(key, paint(color, behind));
    return painted.get(key);
  };
  const grounds = new Map([[null, [255, 255, 255]]]);
  const ground = (element) => {
    if (!grounds.has(element))
      grounds.set(element, over(getComputedStyle(element).backgroundColor, ground(element.parentElement)));
    return grounds.get(element);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const found = [];
  const note = (element, color, least, behind = ground(element)) => {
    const is = ratio(over(color, behind), behind);
    if (is < least) found.push((element.className || element.localName) + ' ' + element.textContent.trim().slice(0, 30) + ': ' + is.toFixed(2));
  };
  for (const mark of document.querySelectorAll('main :not(vscode-button) > .codicon')) note(mark, getComputedStyle(mark).color, 3);
  for (const cell of document.querySelectorAll('.body .year')) {
    note(cell, getComputedStyle(cell, '::before').color, cell.matches('.none') ? 1 : 3);
    if (cell.matches('.none')) note(cell, getComputedStyle(cell).getPropertyValue('--dash'), 3);
  }
  for (const bar of document.querySelectorAll('.split-mark:not(.tail)')) note(bar, getComputedStyle(bar).borderTopColor, 3);
  for (const dash of document.querySelectorAll('.mark.none')) note(dash, getComputedStyle(dash).borderTopColor, 3);
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() !== '' && !element.closest('.visually-hidden, [disabled], vscode-button, vscode-badge, title'))
      note(element, getComputedStyle(element).color, 4.5);
  }
  for (const button of document.querySelectorAll('vscode-button:not([disabled])')) {
    const base = button.shadowRoot.querySelector('[part~=base]');
    const { backgroundColor, color } = getComputedStyle(base);
    const behind = over(backgroundColor, ground(button));
    note(button, color, 4.5, behind);
  }
  return [...new Set(found)];
})()`;

const pages = ['blocks', 'coverage', 'reportTable'];

describe('panels in the browser', () => {
  let server: PreviewServer;
  let browser: Browser;
  let stage: Stage;
  let looks: Looks;

  before(async () => {
    server = await startPreviewServer(pages);
    browser = await launch(await installBrowser());
    stage = { browser, origin: server.origin };
    looks = await Looks.open(browser);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [name, openPanel] of Object.entries(panels)) {
    it(`${name} looks as it did, is accessible, keeps its policy and can be read in every theme`, async () => {
      for (const theme of [...themeNames, 'light-2026'] as const) {
        const panel = await openPanel(stage, { theme });
        const { page } = panel;
        // What a page says and how it is built is the same in every theme.
        if (theme === 'dark') assert.deepEqual(await axeFindings(page), []);
        const taken = await panel.screenshot(`${name}-${theme}`);
        if (!name.includes('-') && theme !== 'light-2026') await looks.compare(taken, `${name}-${theme}`);
        assert.deepEqual(await page.evaluate(contrasts), [], theme);
        for (const look of ['[secondary]', ':not([secondary])']) {
          const button = page.locator(`vscode-button${look}:not([disabled])`).first();
          if ((await button.count()) === 0) continue;
          await button.hover();
          assert.deepEqual(await settledContrasts(page), [], `${theme}, ${look} under the pointer`);
          await page.mouse.move(0, 0);
          await button.focus();
          assert.deepEqual(await settledContrasts(page), [], `${theme}, ${look} with the keyboard`);
        }
        assert.deepEqual(panel.faults, []);
        await panel.close();
      }
    });
  }

  for (const [name, openContent] of Object.entries({ ...panels, ...variants })) {
    it(`${name} fits a narrow column and 200 % zoom, and is accessible there`, async () => {
      for (const [size, options] of [
        ['narrow', { width: 340 }],
        ['zoom', { zoom: 2, width: 1100 }],
      ] as const) {
        const panel = await openContent(stage, options);
        await panel.screenshot(`${name}-${size}`);
        const overflow = await panel.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        assert.ok((overflow as number) <= 0, `${size}: ${overflow} px too wide`);
        if (size === 'narrow') assert.deepEqual(await axeFindings(panel.page), []);
        assert.equal(await panel.page.locator('main img, main b, main script').count(), 0, 'what is named is text');
        assert.deepEqual(panel.faults, []);
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

async function settledContrasts(page: Page): Promise<unknown> {
  await page.evaluate('Promise.all(document.getAnimations().map((each) => each.finished))');
  return page.evaluate(contrasts);
}

/** Every text, name and tooltip of the page, inside components too. */
const textsOfPage = `(() => {
  const texts = [];
  const visit = (node) => {
    if (node instanceof Text) texts.push(node.data.trim());
    if (node instanceof Element) {
      if (node.matches('script, style')) return;
      for (const name of ['aria-label', 'title', 'placeholder']) texts.push(node.getAttribute(name)?.trim() ?? '');
      if (node.shadowRoot) visit(node.shadowRoot);
    }
    for (const child of node.childNodes) visit(child);
  };
  visit(document.body);
  return texts.filter((text) => text !== '');
})()`;

/** Buttons, chips and headings whose words do not fit, by their texts; and whether the page is wider than the window. */
const cutWords = `[
  ...[...document.querySelectorAll('vscode-button, button, h1, h2, dt, th, summary, .chip')]
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible')
    .map((element) => element.textContent.trim()),
  ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []),
]`;

/** The source of the samples, with all that they say. */
const samples = (
  await Promise.all(
    ['reports', 'compared', 'coverage', 'fieldUse', 'resolved', 'table', 'usage'].map((name) =>
      readFile(new URL(`../support/panels/${name}.ts`, import.meta.url), 'utf8'),
    ),
  )
).join('');
/** What samples say by way of code, hostile texts too, and names of standards. */
const made = /^(Company \d+ .*|German and English|Integrated Reporting|GHG Protocol)$|[<⟨]/;

/** Panels as they are said in another language, with what only some readers see. */
const said: Readonly<Record<string, Opener>> = {
  report: (stage, options) => openReport(stage, { report: sampleReport(), file: { kind: 'available' } }, options),
  comparison: (stage, options) => openCompare(stage, threeYears, options),
  dictionary: (stage, options) => openSchema(stage, { kind: 'failed', message: '' }, options, countedLibrary()),
  identifiers: (stage, options) => openResolved(stage, resolvedSample, options),
  'report keys': (stage, options) => openLookup(stage, lookedUpSample, options),
  company: (stage, options) => openCompany(stage, { ...sampleCompanyInput, askedFor: 'XFRA_OLD' }, options),
  coverage: (stage, options) => openCoverage(stage, sampleCoverage(40), options),
  table: (stage, options) => openTable(stage, 900, { ...options, state: openFacets }, { chips: sampleChips }),
  usage: (stage, options) => openUsage(stage, sampleUsage(), options),
};

describe(`panels in ${pseudoTag}, a language of brackets that is 40 % longer`, () => {
  let server: PreviewServer;
  let browser: Browser;

  before(async () => {
    const german = JSON.parse(await readFile(new URL('../../l10n/bundle.l10n.de.json', import.meta.url), 'utf8'));
    const words = pseudoWords(Object.keys(german as object).map((key) => [key, key]));
    l10n.speak(pseudoTag, words);
    server = await startPreviewServer(pages, { speech: { language: pseudoTag, words } });
    browser = await launch(await installBrowser());
  });
  after(async () => {
    l10n.speak('en');
    await browser?.close();
    await server?.close();
  });

  /** What is said in English: what stands outside of every sentence can be data alone. */
  const foreign = (texts: readonly string[]) =>
    texts.map(outside).filter((text) => {
      const isData = (part: string) => samples.includes(part) || made.test(part);
      return /[a-z] [a-z]/i.test(text) && !text.split(' · ').every(isData);
    });

  for (const [name, openPanel] of Object.entries(said)) {
    it(`${name}: no English sentence, and no word that is cut, however wide`, async () => {
      for (const width of [1100, 420]) {
        const panel = await openPanel({ browser, origin: server.origin }, { width });
        assert.equal(await panel.page.evaluate('document.documentElement.lang'), pseudoTag);
        const texts = new Set((await panel.page.evaluate(textsOfPage)) as string[]);
        if (width < 500) await panel.screenshot(`words-${name.replaceAll(' ', '-')}`);
        const cut = await panel.page.evaluate(cutWords);
        assert.deepEqual([foreign([...texts]), cut, panel.faults], [[], [], []], `${width} px`);
        await panel.close();
      }
    });
  }
});
