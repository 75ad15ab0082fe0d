import { join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { build } from '../build.ts';
import { editorEnvironment } from '../host/environment.ts';
import { cache, root } from '../places.ts';
import { say } from '../progress.ts';
import { findLabels, type Label } from './labels.ts';
import { makeRunFolder, readTally } from './runFolder.ts';
import { add, none, type Tally } from './tally.ts';

const skipped: Tally = { passed: 0, failed: 0, skipped: 1 };
const updateService = 'https://update.code.visualstudio.com/api/releases/stable';
const reachLimitMs = 10_000;

/** Why a desktop editor can't run here, or undefined when it can. */
async function obstacle(): Promise<string | undefined> {
  try {
    const answer = await fetch(updateService, { signal: AbortSignal.timeout(reachLimitMs) });
    await answer.body?.cancel();
    if (!answer.ok) return `VS Code’s download service answers ${answer.status}`;
  } catch {
    return 'VS Code’s download service cannot be reached';
  }
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return 'there is no display (xvfb-run gives one)';
  }
  return undefined;
}

async function runLabel(executable: string, label: Label): Promise<Tally> {
  const run = await makeRunFolder(`desktop-${label.name}`, label, 'User');
  const launchArgs = label.folder ? [join(run.workspace, label.workspaceFile ?? '')] : [];
  launchArgs.push('--user-data-dir', run.dataFolder, '--extensions-dir', join(run.folder, 'extensions'));
  launchArgs.push('--disable-updates', '--disable-telemetry', '--no-sandbox');
  if (!label.restricted) launchArgs.push('--disable-workspace-trust');
  await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: root,
    extensionTestsPath: join(root, 'out', 'test', 'support', 'editor', 'run.js'),
    extensionTestsEnv: { ...editorEnvironment(run.folder), ...run.env },
    launchArgs,
  }).catch((error: unknown) => {
    // A failing test and an editor that fell over both arrive here; the results file tells them apart.
    say(String(error));
  });
  return readTally(run, true);
}

/** The editor tests in a downloaded desktop editor, or one skipped test and the reason where there can't be one. */
export async function desktopTests(only: readonly string[]): Promise<Tally> {
  const reason = await obstacle();
  if (reason !== undefined) {
    say(`The desktop tests are skipped: ${reason}.`);
    return skipped;
  }
  await build('development');
  const executable = await downloadAndUnzipVSCode({ version: 'stable', cachePath: join(cache, 'desktop') });
  let tally = none;
  for (const label of await findLabels()) {
    if (only.length === 0 || only.includes(label.name)) tally = add(tally, await runLabel(executable, label));
  }
  return tally;
}
