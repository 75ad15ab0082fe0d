import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { launch } from '../../scripts/host/page.ts';
import { installBrowser } from '../../scripts/install/browser.ts';
import { l10n } from '../../src/base/l10n.ts';
import type { Side } from '../../src/base/rpc.ts';
import { threeYears } from '../support/panels/compared.ts';
import { sampleCompanyInput, sampleCoverage } from '../support/panels/coverage.ts';
import { countedLibrary } from '../support/panels/fieldUse.ts';
import { sampleReport } from '../support/panels/reports.ts';
import { lookedUpSample, resolvedSample } from '../support/panels/resolved.ts';
import { openFacets, sampleChips } from '../support/panels/table.ts';
import { sampleUsage } from '../support/panels/usage.ts';
import { outside, pseudoTag, pseudoWords } from '../support/pseudo.ts';
import {
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

type Words = Readonly<Record<string, string>>;
const names = [
  'metadata',
  'schemaDictionary',
  'resolveResults',
  'compare',
  'usage',
  'company',
  'coverage',
  'reportTable',
];
const widths = [1100, 420];
/** What the samples themselves say: titles, values and a connection's name stay as they are. */
const told = [
  ...['Code of Conduct', 'Sustainability Report', 'Demo Library', 'Integrated Report', 'Annual Report'],
  ...['Climate Report', 'Annual Report with Sustainability Disclosures', 'Limited', 'Reasonable'],
];

const company = () => ({ ...sampleCompanyInput, askedFor: 'XFRA_OLD' });
const panels: Readonly<Record<string, (stage: Stage, width: number) => Promise<OpenPanel<Side>>>> = {
  report: (stage, width) => openReport(stage, { report: sampleReport(), file: { kind: 'available' } }, { width }),
  comparison: (stage, width) => openCompare(stage, threeYears, { width }),
  dictionary: (stage, width) => openSchema(stage, { kind: 'failed', message: '' }, { width }, countedLibrary()),
  identifiers: (stage, width) => openResolved(stage, resolvedSample, { width }),
  'report keys': (stage, width) => openLookup(stage, lookedUpSample, { width }),
  company: (stage, width) => openCompany(stage, company(), { width }),
  coverage: (stage, width) => openCoverage(stage, sampleCoverage(40), { width }),
  table: (stage, width) => openTable(stage, 900, { width, state: openFacets }, { chips: sampleChips }),
  usage: (stage, width) => openUsage(stage, sampleUsage(), { width }),
};

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

const bundle = JSON.parse(await readFile(new URL('../../l10n/bundle.l10n.de.json', import.meta.url), 'utf8')) as Words;

/** Each language that is tried: its words, and what of a page is still in another one. */
const languages: Readonly<Record<string, { readonly words: Words; readonly foreign: (texts: string[]) => string[] }>> =
  {
    de: {
      words: bundle,
      // What is the same in both languages tells nothing.
      foreign(texts) {
        const german = new Set(Object.values(bundle));
        return texts.filter(
          (text) => bundle[text] !== undefined && bundle[text] !== text && !german.has(text) && !told.includes(text),
        );
      },
    },
    [pseudoTag]: {
      words: pseudoWords(Object.keys(bundle).map((key) => [key, key])),
      // What stands outside of every sentence can be data alone.
      foreign: (texts) =>
        texts.map(outside).filter((text) => {
          const isData = (part: string) => samples.includes(part) || made.test(part);
          return /[a-z] [a-z]/i.test(text) && !text.split(' · ').every(isData);
        }),
    },
  };

for (const [language, { words, foreign }] of Object.entries(languages)) {
  describe(`panels in ${language}`, () => {
    let server: PreviewServer;
    let browser: Browser;
    let stage: Stage;

    before(async () => {
      l10n.speak(language, words);
      server = await startPreviewServer(names, { speech: { language, words } });
      browser = await launch(await installBrowser());
      stage = { browser, origin: server.origin };
    });
    after(async () => {
      l10n.speak('en');
      await browser?.close();
      await server?.close();
    });

    for (const [name, open] of Object.entries(panels)) {
      for (const width of widths) {
        it(`${name}, ${width} px wide: no English sentence, no word that is cut`, async () => {
          const panel = await open(stage, width);
          try {
            assert.equal(await panel.page.evaluate('document.documentElement.lang'), language);
            const texts = (await panel.page.evaluate(textsOfPage)) as string[];
            if (width < 500) await panel.screenshot(`words-${language}-${name.replaceAll(' ', '-')}`);
            assert.deepEqual(
              { foreign: foreign([...new Set(texts)]), cut: await panel.page.evaluate(cutWords), faults: panel.faults },
              { foreign: [], cut: [], faults: [] },
            );
          } finally {
            await panel.close();
          }
        });
      }
    }
  });
}
