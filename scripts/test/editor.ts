import { launch } from '../host/page.ts';
import { installBrowser } from '../install/browser.ts';
import { type HostName, installHost } from '../install/hosts.ts';
import { runLabel } from './editorRun.ts';
import { findLabels } from './labels.ts';
import { add, none, type Tally } from './tally.ts';

/** The editor tests on one host, label after label; `only` picks labels by name. */
export async function editorTests(hostName: HostName, only: readonly string[] = []): Promise<Tally> {
  const [host, browser, labels] = await Promise.all([installHost(hostName), installBrowser(), findLabels()]);
  const chromium = await launch(browser);
  try {
    let tally = none;
    for (const label of labels) {
      if (only.length > 0 && !only.includes(label.name)) continue;
      tally = add(tally, await runLabel(host, chromium, label));
    }
    return tally;
  } finally {
    await chromium.close();
  }
}
