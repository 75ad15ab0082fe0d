import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { Emitter } from '../../src/base/disposable.ts';
import type { Port } from '../../src/base/rpc.ts';
import themes from './themes.json' with { type: 'json' };

export type ThemeName = keyof typeof themes;
/** Those that the looks of panels are kept in. */
export const themeNames: readonly ThemeName[] = ['dark', 'light', 'hc-dark', 'hc-light'];

const bodyClasses: Readonly<Record<ThemeName, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'light-2026': 'vscode-light',
  'hc-dark': 'vscode-high-contrast',
  'hc-light': 'vscode-high-contrast-light vscode-high-contrast',
};

/** What the editor gives every webview beside its colors. */
const fonts = {
  'font-family': 'system-ui, "Ubuntu", "Droid Sans", sans-serif',
  'font-size': '13px',
  'font-weight': 'normal',
  'editor-font-family': '"Droid Sans Mono", "DejaVu Sans Mono", monospace',
  'editor-font-size': '14px',
};

export interface PreviewOptions {
  readonly theme?: ThemeName;
  /** CSS pixels. */
  readonly width?: number;
  readonly height?: number;
  /** 2 is what a person gets who zooms to 200 %. */
  readonly zoom?: number;
  readonly reducedMotion?: boolean;
  /** What an earlier page left with `setState`. */
  readonly state?: unknown;
}

/** A panel in a browser that stands in for the editor's webview. */
export interface EditorPage {
  readonly page: Page;
  /** What the page posted before anyone listened comes first. */
  readonly port: Port;
  /** What the page posted, in order. */
  readonly posted: readonly unknown[];
  /** Breaches of the page's policy, and errors of its scripts. */
  readonly faults: readonly string[];
  state(): Promise<unknown>;
  /** Leaves a picture in `test-results/screenshots/<name>.png`, and gives it: nothing moves or blinks in it. */
  screenshot(name: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens a panel's page with the theme's variables and a stand-in for the editor's API. */
export async function openEditorPage(browser: Browser, url: string, options: PreviewOptions = {}): Promise<EditorPage> {
  const { theme = 'dark', width = 1100, height = 800, zoom = 1 } = options;
  const context = await browser.newContext({
    viewport: { width: Math.round(width / zoom), height: Math.round(height / zoom) },
    deviceScaleFactor: zoom,
    reducedMotion: options.reducedMotion === false ? 'no-preference' : 'reduce',
  });
  const page = await context.newPage();
  const received = new Emitter<unknown>();
  const posted: unknown[] = [];
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.exposeFunction('postToEditor', (message: unknown) => {
    posted.push(message);
    received.fire(message);
  });
  await page.addInitScript({
    content: standIn({ ...themes[theme], ...fonts }, bodyClasses[theme], options.state ?? null),
  });
  await page.goto(url);
  return {
    page,
    posted,
    faults,
    port: {
      post: (message) => void page.evaluate(`window.postMessage(${expression(message)}, '*')`),
      onMessage(listener) {
        for (const message of posted) listener(message);
        return received.event(listener);
      },
    },
    state: () => page.evaluate('window.keptState'),
    async screenshot(name) {
      await page.evaluate('document.fonts.ready');
      const folder = fileURLToPath(new URL('../../test-results/screenshots/', import.meta.url));
      await mkdir(folder, { recursive: true });
      return page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled', caret: 'hide' });
    },
    close: () => context.close(),
  };
}

/** A message as script text. Bytes stay bytes, as they do between an editor and its webviews. */
function expression(value: unknown): string {
  if (value instanceof Uint8Array) {
    const base64 = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    // A megabyte character by character takes a good part of a second.
    return `Uint8Array.fromBase64('${base64}')`;
  }
  if (value instanceof Float32Array) return `new Float32Array(${expression(new Uint8Array(value.buffer))}.buffer)`;
  if (Array.isArray(value)) return `[${value.map(expression)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  return `{${Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${expression(part)}`)}}`;
}

/** Runs before the page's own script: the theme, the editor's default style, its API, and a look-out for breaches. */
function standIn(variables: Record<string, string>, bodyClass: string, state: unknown): string {
  const declarations = Object.entries(variables).map(([name, value]) => `--vscode-${name}: ${value};`);
  const style = `:root { ${declarations.join(' ')} }
    html { background: var(--vscode-editor-background); scrollbar-color: var(--vscode-scrollbarSlider-background) transparent; }
    @layer editor { body { background: transparent; color: var(--vscode-editor-foreground); margin: 0; padding: 0 20px;
      font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); font-weight: var(--vscode-font-weight); } }`;
  return `
    window.keptState = ${JSON.stringify(state)} ?? undefined;
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => { performance.mark('posted'); window.postToEditor(message); },
      getState: () => window.keptState,
      setState: (state) => { window.keptState = structuredClone(state); },
    });
    addEventListener('message', () => performance.mark('received'), { capture: true, once: true });
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error('Policy breached: ' + event.violatedDirective + ' ' + event.sourceFile + ' ' + event.sample));
    const style = new CSSStyleSheet();
    style.replaceSync(${JSON.stringify(style)});
    document.adoptedStyleSheets.push(style);
    document.addEventListener('DOMContentLoaded', () => { document.body.className = ${JSON.stringify(bodyClass)}; });
  `;
}

/** Waits for the page; its policy allows no polling from within. */
export async function until(page: Page, condition: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await page.evaluate(condition))) {
    if (Date.now() > deadline) throw new Error(`Never came true: ${condition}`);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  }
}
