import { launch } from '../host/page.ts';
import { installBrowser } from '../install/browser.ts';
import { type HostName, installHost } from '../install/hosts.ts';
import { say } from '../progress.ts';
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
      const first = await runLabel(host, chromium, label);
      // As in mochaRun.ts: a build machine that stood still for a while gets a second look, and that is said.
      if (first.failed > 0 && process.env.CI !== undefined) {
        say(`  Once more: ${label.name}`);
        tally = add(tally, await runLabel(host, chromium, label));
      } else tally = add(tally, first);
    }
    return tally;
  } finally {
    await chromium.close();
  }
}
