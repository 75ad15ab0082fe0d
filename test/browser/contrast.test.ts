import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Side } from '../../src/base/rpc.ts';
import { threeYears } from '../support/panels/compared.ts';
import { sampleCompanyInput, sampleCoverage } from '../support/panels/coverage.ts';
import { countedLibrary } from '../support/panels/fieldUse.ts';
import { sampleReport } from '../support/panels/reports.ts';
import { resolvedSample } from '../support/panels/resolved.ts';
import { openFacets, sampleChips } from '../support/panels/table.ts';
import { sampleUsage } from '../support/panels/usage.ts';
import { type ThemeName, themeNames } from './editorPage.ts';
import {
  type OpenPanel,
  openCompany,
  openCompare,
  openCoverage,
  openReport,
  openResolved,
  openSchema,
  openTable,
  openUsage,
  type Stage,
} from './openPanel.ts';
import { panelStage } from './panelStage.ts';

const file = {
  kind: 'downloaded',
  path: 'a.pdf',
  verified: true,
  outdated: false,
  served: true,
  edited: false,
} as const;
const panels: Readonly<Record<string, (stage: Stage, theme: ThemeName) => Promise<OpenPanel<Side>>>> = {
  report: (stage, theme) => openReport(stage, { report: sampleReport(), file }, { theme }),
  company: (stage, theme) => openCompany(stage, sampleCompanyInput, { theme }),
  coverage: (stage, theme) => openCoverage(stage, sampleCoverage(60), { theme }),
  comparison: (stage, theme) => openCompare(stage, threeYears, { theme }),
  results: (stage, theme) => openResolved(stage, resolvedSample, { theme }),
  table: (stage, theme) => openTable(stage, 900, { theme, width: 1300, state: openFacets }, { chips: sampleChips }),
  usage: (stage, theme) => openUsage(stage, sampleUsage(), { theme }),
  dictionary: (stage, theme) => openSchema(stage, { kind: 'reading' }, { theme }, countedLibrary()),
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
  // A page has few colours and thousands of elements, and reading a pixel is slow.
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

describe('marks and words of panels', () => {
  const stage = panelStage([
    'metadata',
    'company',
    'coverage',
    'compare',
    'resolveResults',
    'usage',
    'reportTable',
    'schemaDictionary',
  ]);

  for (const theme of [...themeNames, 'light-2026'] as const) {
    it(`can be read in ${theme}: 3:1 for marks, 4.5:1 for text, buttons under the pointer and with the keyboard too`, async () => {
      for (const [name, openPanel] of Object.entries(panels)) {
        const panel = await openPanel(stage, theme);
        const { page } = panel;
        assert.deepEqual(await page.evaluate(contrasts), [], name);
        for (const look of ['[secondary]', ':not([secondary])']) {
          const button = page.locator(`vscode-button${look}:not([disabled])`).first();
          if ((await button.count()) === 0) continue;
          await button.hover();
          assert.deepEqual(await settled(page), [], `${name}, ${look} under the pointer`);
          await page.mouse.move(0, 0);
          await button.focus();
          assert.deepEqual(await settled(page), [], `${name}, ${look} with the keyboard`);
        }
        await panel.close();
      }
    });
  }
});

async function settled(page: Page): Promise<unknown> {
  await page.evaluate('Promise.all(document.getAnimations().map((each) => each.finished))');
  return page.evaluate(contrasts);
}
