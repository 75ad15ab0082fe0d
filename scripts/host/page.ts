import { type Browser as Chromium, chromium, type Page } from 'playwright-core';
import type { Browser } from '../install/browser.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a headless browser. The caller closes it. */
export async function launch(browser: Browser): Promise<Chromium> {
  return chromium.launch({
    executablePath: browser.executable,
    args: flags,
    headless: true,
    env: { ...(process.env as Record<string, string>), ...browser.env },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/**
 * Answers the question for a key that the editor's secret storage asks its server, as a hosted editor would; without
 * it, secrets do not survive a reload. For VS Code's bare server only: code-server answers by itself.
 */
export async function answerMintKey(page: Page): Promise<void> {
  await page.route('**/mint-key', (route) => route.fulfill({ status: 200, body: Buffer.alloc(32, 7) }));
}
