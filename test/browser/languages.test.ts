import assert from 'node:assert/strict';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/places.ts';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';
import { outside, pseudoTag, pseudoWords } from '../support/pseudo.ts';

type Words = Readonly<Record<string, string>>;
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
  };
}

const json = async <T>(path: string) => JSON.parse(await readFile(join(root, path), 'utf8')) as T;
const messages = Object.keys(await json<Words>('l10n/bundle.l10n.de.json'));
const manifest = await json<Manifest>('package.json');
const manifestWords = pseudoWords(Object.entries(await json<Words>('package.nls.json')));

/** What stands still in sentences of ours, between what is filled in, where it can be told from data. */
const sentences = messages
  .flatMap((message) => message.split(/\{\d+\}|\$\([\w~-]+\)/))
  .map((part) => part.trim())
  .filter((part) => /\w+ \w+ \w+/.test(part));

/** Every text and name within what a selector finds, and the words there that end neither whole, nor in dots, nor in a tooltip. */
const look = (selector: string) => `(() => {
  const texts = [];
  const cut = [];
  const note = (text) => text?.trim() && texts.push(text.trim());
  for (const each of document.querySelectorAll('${selector}, ${selector} *')) {
    if (!each.checkVisibility()) continue;
    for (const name of ['aria-label', 'title', 'placeholder']) note(each.getAttribute(name));
    const own = [...each.childNodes].filter((node) => node instanceof Text && node.data.trim() !== '');
    for (const node of own) note(node.data);
    const { overflowX, textOverflow } = getComputedStyle(each);
    const isCut = each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1 && overflowX !== 'visible';
    if (own.length > 0 && isCut && textOverflow !== 'ellipsis' && !each.closest('[title]'))
      cut.push(each.textContent);
  }
  return { texts, cut };
})()`;

/** Gives the extension one more language. */
async function addPseudo(extensions: string): Promise<void> {
  const bundle = JSON.stringify(pseudoWords(messages.map((message) => [message, message])));
  for await (const folder of glob(join(extensions, 'report-library.report-library-*'))) {
    await writeFile(join(folder, 'l10n', `bundle.l10n.${pseudoTag}.json`), bundle);
    await writeFile(join(folder, `package.nls.${pseudoTag}.json`), JSON.stringify(manifestWords));
  }
}

describe('the extension in other languages', () => {
  let editor: EditorWindow;

  after(async () => {
    await editor?.close();
  });

  describe(`in ${pseudoTag}, a language of brackets that is 40 % longer`, () => {
    before(async () => {
      editor = await openEditor('languages', {
        settings: { 'reportLibrary.demo.openAtStart': true },
        extensions: [],
        beforeStart: addPseudo,
        language: pseudoTag,
      });
      await editor.page.setViewportSize({ width: 1400, height: 1300 });
      await editor.openContainer(told('view.container'));
      await rows().nth(20).waitFor();
    });

    afterEach(async function () {
      if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
      await editor.page.keyboard.press('Escape');
      await quick().waitFor({ state: 'hidden' });
    });

    const rows = () => editor.page.locator('.part.sidebar').getByRole('treeitem');
    const quick = () => editor.page.locator('.quick-input-widget');
    const told = (key: string) => manifestWords[key.replaceAll('%', '')] ?? key;

    /** Runs a command by its name in the pseudo-language. */
    async function run(id: string): Promise<void> {
      const found = manifest.contributes.commands.find(({ command }) => command === `reportLibrary.${id}`);
      assert.ok(found, id);
      await editor.command(`${told(found.category)}: ${told(found.title)}`);
    }

    /** Asserts that no sentence of ours is English there, and no word cut off. */
    async function check(selector: string): Promise<void> {
      const { texts, cut } = (await editor.page.evaluate(look(selector))) as { texts: string[]; cut: string[] };
      assert.ok(texts.some((text) => text.includes('⟦')));
      const english = [...new Set(texts.map(outside))].filter((text) => sentences.some((each) => text.includes(each)));
      assert.deepEqual({ english, cut }, { english: [], cut: [] });
    }

    it('says everything of the side bar and the status bar in it', async () => {
      await editor.page.locator('.pane-header[aria-label*="⟦"]').first().waitFor();
      await check('.part.sidebar');
      await editor.usage().and(editor.page.locator('[aria-label*="⟦"]')).waitFor();
      await check('.statusbar-item[id$="reportLibrary.usage"]');
      await editor.hoverSays(editor.usage(), '⟦');
      await check('.workbench-hover-container');
    });

    it('asks in it', async () => {
      for (const id of ['find', 'filterReports', 'resolveIdentifiers', 'exportReports']) {
        await run(id);
        // The palette, which has no title, shows the English names of commands too.
        await editor.quickTitle().filter({ hasText: '⟦' }).waitFor();
        await check('.quick-input-widget');
        await editor.page.keyboard.press('Escape');
        await quick().waitFor({ state: 'hidden' });
      }
    });

    it('names the rows of a company and its reports in it', async () => {
      await rows().filter({ hasText: 'Altenbruch' }).click();
      await rows().filter({ hasText: '2024' }).first().click();
      await editor.page.locator('.part.sidebar .monaco-list-row[aria-label*="⟦"]').nth(3).waitFor();
      await check('.part.sidebar');
    });
  });

  describe('in German', () => {
    before(async () => {
      await editor.speak('de');
      await editor.reload();
      await editor.openContainer('Report Library');
    });

    afterEach(async function () {
      if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
    });

    it('names its views, reads a report and asks in German', async () => {
      await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
      await editor.view('Berichte').waitFor();
      await editor.view('Neuigkeiten').waitFor();
      const words = editor.page.locator('.statusbar-item[id$="reportLibrary.usage"][aria-label*="Anfragen und"]');
      await words.waitFor();
      assert.match((await words.getAttribute('aria-label')) ?? '', /\d+ Downloads in diesem Monat/);
      await editor.unfold(editor.treeRow('Watchlist', 'Altenbruch').first());
      await editor.unfold(editor.treeRow('Watchlist', 'Geschäftsjahr').first());
      await editor.treeRow('Watchlist', 'Nachhaltigkeitsbericht').first().click();
      await editor.webview().getByRole('button', { name: 'In Notebook einfügen' }).waitFor();
      await editor.webview().getByText('Standards, Wesentlichkeit und externe Prüfung').waitFor();
      await editor.closeTabs();
      await editor.command('Report Library: Berichte filtern…');
      await editor.quickTitle().filter({ hasText: 'Berichte filtern' }).waitFor();
      await editor
        .quickRow(/\d+ Berichte anzeigen/)
        .first()
        .waitFor();
      await editor.quickRow('Geschäftsjahr').first().waitFor();
      await editor.page.keyboard.press('Escape');
    });

    it('explains in German how assistants answer', async () => {
      await editor.command('Welcome: Open Walkthrough...');
      await editor.quickInput().fill('Report Library');
      await editor.quickRow('Report Library').first().click();
      const step = editor.page.locator('.getting-started-step', { hasText: 'Assistenten antworten lassen' });
      await step.click();
      await step.getByText('MCP-Konfiguration kopieren').waitFor();
      const page = editor.page.frameLocator('iframe.webview.ready:visible').last().frameLocator('#active-frame');
      await page.getByText('Antworten mit Quelle').waitFor();
      await editor.closeTabs();
    });
  });
});
