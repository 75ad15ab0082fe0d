import type { Browser } from 'playwright-core';
import { launch } from '../../scripts/host/page.ts';
import { installBrowser } from '../../scripts/install/browser.ts';
import type { Stage } from './openPanel.ts';
import { type PreviewServer, startPreviewServer } from './previewServer.ts';

/** Within a suite: a browser, and a server of these panels, for as long as its tests run. */
export function panelStage(panels: readonly string[]): Stage {
  let server: PreviewServer;
  let browser: Browser;
  before(async () => {
    server = await startPreviewServer(panels);
    browser = await launch(await installBrowser());
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  return {
    get browser() {
      return browser;
    },
    get origin() {
      return server.origin;
    },
  };
}
