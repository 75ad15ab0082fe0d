import { launch } from '../host/page.ts';
import { installBrowser } from '../install/browser.ts';
import { type HostName, installHost } from '../install/hosts.ts';
import { say } from '../progress.ts';
import { runLabel } from './editorRun.ts';
import { findLabels } from './labels.ts';
import { editorLanes, inLanes } from './lanes.ts';
import { add, none, type Tally } from './tally.ts';

/** The editor tests on one host, several labels at a time; `only` picks labels by name. */
export async function editorTests(hostName: HostName, only: readonly string[] = []): Promise<Tally> {
  const [host, browser, labels] = await Promise.all([installHost(hostName), installBrowser(), findLabels()]);
  const wanted = labels.filter(({ name }) => only.length === 0 || only.includes(name));
  const chromium = await launch(browser);
  try {
    const tallies = await inLanes(wanted, editorLanes, (label) => runLabel(host, chromium, label));
    let tally = none;
    for (const [index, first] of tallies.entries()) {
      const label = wanted[index];
      // As in mochaRun.ts: a build machine that stood still for a while gets a second look, and that is said.
      if (label !== undefined && first.failed > 0 && process.env.CI !== undefined) {
        say(`  Once more: ${label.name}`);
        tally = add(tally, { ...(await runLabel(host, chromium, label)), retried: 1 });
      } else tally = add(tally, first);
    }
    return tally;
  } finally {
    await chromium.close();
  }
}
