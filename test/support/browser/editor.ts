import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Browser as Chromium, errors, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { launch } from '../../../scripts/host/page.ts';
import { prepareProfile, sharedExtensions, workspaceUrl } from '../../../scripts/host/profile.ts';
import { installExtension, type Server, startEditor } from '../../../scripts/host/server.ts';
import { installBrowser } from '../../../scripts/install/browser.ts';
import { type HostName, installHost } from '../../../scripts/install/hosts.ts';
import { cache, results } from '../../../scripts/places.ts';
import { endOnSignals } from '../../../scripts/process/owned.ts';
import { packageVsix } from '../../../scripts/vsix.ts';
import { files, isOffered, palette, type QuickList } from './quickList.ts';

/** What a run may choose; by default the demo library opens by itself in the newest editor, as with `npm start`. */
export interface EditorChoice {
  readonly host?: HostName;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** More extensions to install, as VSIX files; with any, or none, the editor has a folder of extensions of its own. */
  readonly extensions?: readonly string[];
  /** The language from the start, see {@link EditorWindow.speak}. */
  readonly language?: string;
  /** Changes the editor's own folder of extensions before it starts. */
  readonly beforeStart?: (extensionsFolder: string) => Promise<void>;
}

/** Several editors share a machine while the tests run, and a slow one takes its time. */
const waitLimitMs = 60_000;
/** How long the editor takes for what it does at once. */
const soonMs = 2_000;
/** How long the demo's library may take to come in. */
const loadLimitMs = 90_000;

/** How a person sees and works the editor: by what is on the screen, with keyboard and mouse. */
export class EditorWindow {
  readonly page: Page;
  /** The opened folder on disk: what the extension writes shows up here. */
  readonly workspace: string;
  readonly #server: Server;
  readonly #browser: Chromium;

  constructor(page: Page, workspace: string, server: Server, browser: Chromium) {
    this.page = page;
    page.setDefaultTimeout(waitLimitMs);
    this.workspace = workspace;
    this.#server = server;
    this.#browser = browser;
  }

  /** Waits until the workbench is there and its extensions have started. */
  async whenReady(): Promise<void> {
    await this.page.locator('.monaco-workbench .statusbar').waitFor();
    await this.page.locator('.activitybar').waitFor();
  }

  /** Waits until the window's start is over and the palette knows our commands; before that a PDF opens as text. */
  async whenQuiet(): Promise<void> {
    await this.statusItem(/\$\(git-branch\)|Layout/)
      .first()
      .waitFor();
    await this.#offer(palette, 'Report Library: Show Log');
    await this.page.keyboard.press('Escape');
    await this.quickInput().waitFor({ state: 'hidden' });
    await this.page.waitForLoadState('networkidle', { timeout: loadLimitMs });
    await this.statusItem('Activating Extensions').waitFor({ state: 'hidden' });
  }

  /**
   * Sets the language from the next load on, as a language pack would. No pack is here, so the editor's own words stay
   * English; what the extension says comes from its own bundles.
   */
  async speak(language: string): Promise<void> {
    const value = `{ value: ${JSON.stringify(language)}, writable: true, configurable: true }`;
    await this.page.addInitScript(`Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', ${value});`);
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.whenReady();
  }

  /** Loads the window anew by the editor's own command, which first stores what is open; a browser's reload may lose it. */
  async reloadInOrder(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.command('Developer: Reload Window');
    await loaded;
    await this.whenReady();
  }

  /**
   * Runs a command from the palette by its whole title, category included, as in `Report Library: Sync Now`. What it
   * offers is asked anew with each text, so that is typed again while extensions are still being read; and it is opened
   * again where something else took the keyboard before a command was chosen. A command is chosen once: an Enter has no
   * end that could be waited for too long, as that of a click, after which one would choose it again.
   */
  async command(title: string): Promise<void> {
    await this.#offer(palette, title);
    await this.page.keyboard.press('Enter');
  }

  /** Opens a file of the workspace by its name, in the same way. */
  async openFile(name: string): Promise<void> {
    await this.#offer(files, name);
    await this.page.keyboard.press('Enter');
    await this.editorTab(name).first().waitFor();
  }

  async #offer(list: QuickList, title: string): Promise<void> {
    await this.quickInput().waitFor({ state: 'hidden' });
    const deadline = Date.now() + waitLimitMs;
    while (!(await isOffered(this, list, title))) {
      if (Date.now() > deadline) throw new Error(`The editor does not offer ${title}.`);
    }
  }

  /** The text box of the palette, a quick pick or an input box. */
  quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-box input');
  }

  /** The rows of a quick pick that hold `text`. */
  quickRow(text: string | RegExp): Locator {
    return this.page.locator(
      '.quick-input-widget:visible .quick-input-list [role=option], .quick-input-widget:visible .quick-input-list .monaco-list-row',
      { hasText: text },
    );
  }

  /** The title of the open quick pick or input box. */
  quickTitle(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-titlebar');
  }

  /** The message under an input box: what it asks for, or why it refuses what was typed. */
  quickMessage(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-message');
  }

  /** An icon of the activity bar, by its name. */
  activity(name: string): Locator {
    return this.page.locator('.activitybar').getByRole('tab', { name: new RegExp(`^${name}`) });
  }

  /** Shows a view container, whether it was open or not: a click on its icon would close it again. */
  async openContainer(name: string): Promise<void> {
    await this.activity(name).waitFor();
    await this.command(`View: Show ${name}`);
    await this.page.locator('.part.sidebar .composite.title', { hasText: name }).waitFor();
  }

  /** Clicks a row so that what is below it is to be seen, also where it was already. */
  async unfold(row: Locator): Promise<void> {
    // What the editor tells of another row, while the mouse rests on it, would lie over this one.
    await this.page.mouse.move(0, 0);
    await row.click();
    if ((await row.getAttribute('aria-expanded')) !== 'true') await this.page.keyboard.press('ArrowRight');
  }

  /** Clicks a button that a row shows while the mouse is over it; a row that is drawn anew forgets the mouse. */
  async rowButton(row: Locator, name: RegExp): Promise<void> {
    const button = row.getByRole('button', { name });
    await row.hover();
    while (!(await button.isVisible())) {
      await this.page.mouse.move(0, 0);
      await row.hover();
    }
    await button.click();
  }

  /** Chooses an entry of the menu that a row has. */
  async rowMenu(row: Locator, name: string): Promise<void> {
    await row.click({ button: 'right' });
    // For its first moments a menu takes no button that is let go: it may be the one that opened it.
    await this.page.getByRole('menuitem', { name }).click({ delay: 250 });
  }

  /** Drags a row by hand and lets go within what `target` shows; no key is held. */
  async drag(row: Locator, target: Locator): Promise<void> {
    const deadline = Date.now() + waitLimitMs;
    let [from, to] = [await row.boundingBox(), await target.boundingBox()];
    do {
      await target.hover({ position: { x: 80, y: 5 } });
      await row.hover();
      // A tree or text that is drawn again at this moment has no place.
      [from, to] = [await row.boundingBox(), await target.boundingBox()];
    } while ((!from || !to) && Date.now() < deadline);
    if (!from || !to) throw new Error('What is to be dragged, or where to, is not to be seen.');
    const { mouse } = this.page;
    await mouse.move(from.x + 120, from.y + from.height / 2);
    await mouse.down();
    await mouse.move(from.x + 140, from.y + from.height / 2 + 6, { steps: 4 });
    await mouse.move(to.x + 80, to.y + to.height / 2, { steps: 12 });
    await mouse.move(to.x + 82, to.y + to.height / 2);
    await mouse.up();
  }

  /** Waits until the Watchlist holds all there is: until then its rows are read again, and a click may come too late. */
  async loaded(): Promise<void> {
    await this.treeRow('Watchlist', /Aarhorn Pharma AG, 22 reports/).waitFor({ timeout: loadLimitMs });
    await this.view('Watchlist').getByText('Loading the library').waitFor({ state: 'hidden' });
  }

  /** One view of the open container, by its title. */
  view(title: string): Locator {
    const header = this.page.locator(`.pane-header[aria-label^="${title}"]`);
    return this.page.locator('.pane').filter({ has: header });
  }

  /** The rows of a view's tree that show `text`, or say it to a screen reader: much that a row shows is short. */
  treeRow(view: string, text: string | RegExp): Locator {
    const rows = this.view(view).getByRole('treeitem');
    return rows.filter({ hasText: text }).or(this.view(view).getByRole('treeitem', { name: text }));
  }

  /** Entries of the status bar that hold `text`. */
  statusItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item', { hasText: text });
  }

  /** The document inside the visible webview of the active editor. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready:visible').last().frameLocator('#active-frame');
  }

  /**
   * Waits until the panel has the keyboard. The editor gives it to a panel once that is loaded, and takes it from a palette
   * that was opened meanwhile.
   */
  async panelFocused(): Promise<void> {
    await this.page.waitForFunction(`document.activeElement?.localName === 'iframe'`);
  }

  /** Messages shown at the lower right that hold `text`. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast', { hasText: text });
  }

  /** The tab of an open editor. */
  editorTab(title: string | RegExp): Locator {
    return this.page.locator('.tabs-container').getByRole('tab', { name: title });
  }

  /** Leaves a picture in `test-results/screenshots/<name>.png`. */
  async screenshot(name: string): Promise<void> {
    const folder = join(results, 'screenshots');
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }

  /** The folder that holds everything this editor writes: profile, logs, stored state, the workspace. */
  get folder(): string {
    return dirname(this.workspace);
  }

  /** Our entry in the status bar; its `aria-label` says the numbers in words. */
  usage(): Locator {
    return this.page.locator('.statusbar-item[id$="reportLibrary.usage"]');
  }

  /** The text that shows while the pointer rests on something. */
  hover(): Locator {
    return this.page.locator('.workbench-hover-container').first();
  }

  /** Rests the mouse on something until what shows holds `text`: what is drawn anew under the mouse may say nothing. */
  async hoverSays(target: Locator, text: string | RegExp): Promise<void> {
    const deadline = Date.now() + waitLimitMs;
    for (;;) {
      await target.hover();
      try {
        return await this.hover().getByText(text).first().waitFor({ timeout: soonMs });
      } catch (error) {
        if (!(error instanceof errors.TimeoutError) || Date.now() > deadline) throw error;
        await this.page.mouse.move(0, 0);
      }
    }
  }

  /**
   * Moves the mouse to where nothing says more, and waits until nothing does. What scrolled under the mouse just before
   * may speak up after it left, and goes with the next move.
   */
  async pointAtNothing({ x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    const deadline = Date.now() + waitLimitMs;
    for (let aside = 0; ; aside = 1 - aside) {
      await this.page.mouse.move(x + aside, y);
      try {
        return await this.hover().waitFor({ state: 'hidden', timeout: soonMs });
      } catch (error) {
        if (!(error instanceof errors.TimeoutError) || Date.now() > deadline) throw error;
      }
    }
  }

  /** The row that has the keyboard, of a tree, a list or a picker; the one that shows or says `text`. */
  focusedRow(text = ''): Locator {
    const row = this.page.locator('.monaco-list:focus .monaco-list-row.focused');
    return text === '' ? row : row.and(this.page.locator(`[aria-label*="${text}"]`).or(row.filter({ hasText: text })));
  }

  /** Closes every tab. */
  async closeTabs(): Promise<void> {
    await this.command('View: Close All Editors');
    await this.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
  }

  /** Chooses a color theme, as a person does. */
  async chooseTheme(name: string): Promise<void> {
    await this.command('Preferences: Color Theme');
    await this.quickInput().fill(name);
    await this.quickRow(name).first().waitFor();
    await this.page.keyboard.press('Enter');
    await this.quickInput().waitFor({ state: 'hidden' });
  }

  /** The whole documents of the window and of every panel in it, as text. */
  async documents(): Promise<string[]> {
    const frames = this.page.frames().filter((frame) => !frame.isDetached());
    return Promise.all(frames.map((frame) => frame.content()));
  }

  /**
   * Opens a second window, on the same folder unless another is given, in the same browser: it shares the profile, and
   * what the editor stores.
   */
  async openSecond(workspace = this.workspace): Promise<EditorWindow> {
    const page = await this.page.context().newPage();
    const second = new EditorWindow(page, workspace, this.#server, this.#browser);
    await page.goto(workspaceUrl(this.#server, workspace));
    await second.whenReady();
    return second;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#server.stop();
  }
}

/**
 * Starts a fresh editor with the packaged extension installed and the sample workspace open, and a browser that looks
 * at it. `name` keeps its files apart from those of other runs.
 */
export async function openEditor(name: string, choice: EditorChoice = {}): Promise<EditorWindow> {
  endOnSignals();
  const [host, browser] = await Promise.all([installHost(choice.host ?? 'newest'), installBrowser()]);
  const folder = join(cache, 'runs', `browser-${name}`);
  await rm(folder, { recursive: true, force: true });
  const settings = choice.settings ?? { 'reportLibrary.demo.openAtStart': true };
  const vsix = await packageVsix();
  const shared = await sharedExtensions(host, vsix);
  const own = join(folder, 'extensions');
  if (choice.extensions !== undefined) await cp(shared, own, { recursive: true });
  const extensions = choice.extensions === undefined ? shared : own;
  const profile = await prepareProfile(host, vsix, folder, settings, extensions);
  await choice.beforeStart?.(extensions);
  for (const other of choice.extensions ?? []) await installExtension(host, other, profile.options);
  const server = await startEditor(host, { ...profile.options, port: 0, workspaceTrust: false });
  try {
    const chromium = await launch(browser);
    // Without motion nothing is drawn sixty times a second while another test would go on.
    const context = await chromium.newContext({
      viewport: { width: 1400, height: 900 },
      reducedMotion: 'reduce',
      // The server would pack the workbench's 20 MB for each window.
      extraHTTPHeaders: { 'accept-encoding': 'identity' },
    });
    const page = await context.newPage();
    const window = new EditorWindow(page, profile.workspace, server, chromium);
    if (choice.language !== undefined) await window.speak(choice.language);
    await page.goto(workspaceUrl(server, profile.workspace));
    await window.whenReady();
    return window;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Within a suite: a test that fails leaves a picture of each of its editors, and these end with the suite. */
export function endsWithSuite(...editors: readonly (() => EditorWindow | undefined)[]): void {
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    for (const [index, editor] of editors.entries())
      await editor()?.screenshot(`failed-${this.currentTest.title}-${index + 1}`);
  });
  after(() => editors[0]?.()?.close());
}
