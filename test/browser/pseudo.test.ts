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

describe(`the extension in ${pseudoTag}, a language of brackets that is 40 % longer`, () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('pseudo', {
      settings: { 'reportLibrary.demo.openAtStart': true },
      // In a folder of its own, which is given one more language.
      extensions: [],
    });
    for await (const folder of glob(join(editor.folder, 'extensions', 'report-library.report-library-*'))) {
      const bundle = JSON.stringify(pseudoWords(messages.map((message) => [message, message])));
      await writeFile(join(folder, 'l10n', `bundle.l10n.${pseudoTag}.json`), bundle);
      await writeFile(join(folder, `package.nls.${pseudoTag}.json`), JSON.stringify(manifestWords));
    }
    const language = `{ value: "${pseudoTag}", writable: true, configurable: true }`;
    await editor.page.addInitScript(`Object.defineProperty(globalThis, "_VSCODE_NLS_LANGUAGE", ${language});`);
    await editor.page.setViewportSize({ width: 1400, height: 1300 });
    await editor.reload();
    await editor.openContainer(told('view.container'));
    await rows().nth(20).waitFor();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
    await editor.page.keyboard.press('Escape');
    await quick().waitFor({ state: 'hidden' });
  });

  after(async () => {
    await editor?.close();
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
    await editor.screenshot('pseudo-1-sidebar');
    await check('.part.sidebar');
    await editor.usage().and(editor.page.locator('[aria-label*="⟦"]')).waitFor();
    await check('.statusbar-item[id$="reportLibrary.usage"]');
    await editor.usage().hover();
    await editor.hover().getByText('⟦').first().waitFor();
    await editor.screenshot('pseudo-2-usage');
    await check('.workbench-hover-container');
  });

  for (const id of ['find', 'filterReports', 'resolveIdentifiers', 'exportReports']) {
    it(`asks in it: ${id}`, async () => {
      await run(id);
      // The palette, which has no title, shows the English names of commands too.
      await editor.quickTitle().filter({ hasText: '⟦' }).waitFor();
      await editor.screenshot(`pseudo-3-${id}`);
      await check('.quick-input-widget');
    });
  }

  it('names the rows of a company and its reports in it', async () => {
    await rows().filter({ hasText: 'Altenbruch' }).click();
    await rows().filter({ hasText: '2024' }).first().click();
    await editor.page.locator('.part.sidebar .monaco-list-row[aria-label*="⟦"]').nth(3).waitFor();
    await editor.screenshot('pseudo-4-rows');
    await check('.part.sidebar');
  });
});
