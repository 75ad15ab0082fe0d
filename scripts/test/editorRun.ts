import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser as Chromium } from 'playwright-core';
import { answerMintKey } from '../host/page.ts';
import { type Server, startTestServer } from '../host/server.ts';
import type { Host } from '../install/hosts.ts';
import { cache, results, root } from '../places.ts';
import { say, seconds } from '../progress.ts';
import type { Label } from './labels.ts';
import { openToOthers } from './ownStorage.ts';
import { makeRunFolder, readTally } from './runFolder.ts';
import { add, none, type Tally } from './tally.ts';

const runLimitMs = 600_000;

function address({ port, url: urlOf }: Server, label: Label, workspace: string): string {
  const at = (...path: string[]) => `vscode-remote://127.0.0.1:${port}${join(root, ...path).replaceAll('\\', '/')}`;
  const url = new URL(urlOf('/'));
  if (label.workspaceFile !== undefined) url.searchParams.set('workspace', join(workspace, label.workspaceFile));
  else if (label.folder) url.searchParams.set('folder', workspace);
  const payload = [
    ['extensionDevelopmentPath', at()],
    ['extensionTestsPath', at('out', 'test', 'support', 'editor', 'run.js')],
  ];
  url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

/** Opens the page that starts the tests, and waits for their end. Gives what the page's console said. */
async function drive(chromium: Chromium, url: string): Promise<{ finished: boolean; said: string[] }> {
  const page = await chromium.newPage();
  const said: string[] = [];
  try {
    await answerMintKey(page);
    const exit = new Promise<boolean>((resolve) => {
      const limit = setTimeout(() => resolve(false), runLimitMs);
      void page.exposeFunction('codeAutomationExit', () => {
        clearTimeout(limit);
        resolve(true);
      });
    });
    await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
      said.push(args.map(String).join(' '));
    });
    page.on('pageerror', (error) => said.push(`page error: ${error.message}`));
    await page.goto(url);
    return { finished: await exit, said };
  } finally {
    await page.close();
  }
}

/** Runs one label's tests inside `host`, and keeps the editor's logs in `test-results/` when any failed. */
export async function runLabel(host: Host, chromium: Chromium, label: Label): Promise<Tally> {
  const start = performance.now();
  const name = `${host.name}-${label.name}`;
  const run = await makeRunFolder(name, label, 'data', 'User');
  const logFile = join(run.folder, 'server.log');
  // With no umask at all, a file is open to everybody unless the extension says otherwise.
  const umask = process.umask(0);
  const starting = startTestServer(host, {
    dataFolder: run.dataFolder,
    logFile,
    workspaceTrust: label.restricted,
    // As for the processes of other tests, see mochaRun.ts: the editor's own scripts are not compiled for each label.
    env: { NODE_COMPILE_CACHE: join(cache, 'compiled'), ...run.env },
  });
  process.umask(umask);
  const server = await starting;
  const url = address(server, label, run.workspace);
  const { finished, said } = await drive(chromium, url).finally(() => server.stop());

  const open = await openToOthers(join(run.dataFolder, 'data', 'User'));
  for (const each of open) say(`  ${name} left open to others: ${each}`);
  const tally = add(await readTally(run, finished), { ...none, failed: open.length });
  const kept = join(results, name);
  await rm(kept, { recursive: true, force: true });
  if (tally.failed > 0) {
    await mkdir(kept, { recursive: true });
    await cp(join(run.dataFolder, 'data', 'logs'), join(kept, 'logs'), { recursive: true, force: true });
    await cp(logFile, join(kept, 'server.log'));
    await writeFile(join(kept, 'console.log'), `${said.join('\n')}\n`);
    say(`  Logs: ${join('test-results', name)}`);
  }
  say(`  ${name}: ${tally.passed} of ${tally.passed + tally.failed + tally.skipped} passed in ${seconds(start)}`);
  return tally;
}
