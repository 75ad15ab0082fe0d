import { access, constants, mkdir } from 'node:fs/promises';
import { readLock } from '../downloads/lockFile.ts';
import { lockOrigin, requireService } from '../downloads/manifest.ts';
import { systemCode } from '../files/guard.ts';
import { machineFolder } from '../machine/machineState.ts';
import { walIsSafe } from '../machine/sqliteFile.ts';
import { service, sourceOf } from './connect.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { type ExitCode, exit, exitOf, problemMessage, UsageProblem } from './exit.ts';
import { folderAt, sharedFolder } from './folder.ts';
import { shown } from './output.ts';

/** Checks one thing after the other; none keeps the next from being checked. Never tells anything of the key. */
export async function doctor(context: CommandContext): Promise<CommandOutcome> {
  const { account, out, signal, version } = context;
  const connected = service({ ...context, fail: () => {} });
  const at = folderAt(context);
  const keyOf = async () => {
    if (account.isDemo) return 'not needed';
    await account.key();
    return `from ${account.keyFrom}`;
  };
  const licensee = async () => {
    const { client } = await connected.get();
    return (await client.entitlements({ signal })).client_name ?? 'somebody';
  };
  const checks: readonly [string, () => Promise<string>][] = [
    ['version', async () => `report-library ${version} on Node ${process.versions.node}, ${process.platform}`],
    ['sqlite', sqlite],
    ['folder of this computer', writable],
    ['shared store', shared],
    ['certificates', certificates],
    ['base URL', async () => (account.isDemo ? 'the demo library' : (account.baseUrl ?? needed()))],
    ['key', keyOf],
    ['service', async () => `answers; licensed to ${await licensee()}`],
    [
      'lock',
      async () => {
        const lock = await readLock(at, signal);
        requireService(lock, sourceOf(context, connected).origin);
        return `${lock.reports.length} reports${lockOrigin(lock) ? ` of ${lockOrigin(lock)}` : ''}`;
      },
    ],
  ];
  const results: { readonly check: string; readonly ok: boolean; readonly told: string }[] = [];
  let code: ExitCode = exit.same;
  for (const [check, inspect] of checks) {
    let ok = true;
    const told = await inspect().catch((error: unknown) => {
      ok = false;
      code = Math.max(code, exitOf(error)) as ExitCode;
      return problemMessage(error);
    });
    results.push({ check, ok, told });
    out.line(`${ok ? 'ok ' : 'BAD'}  ${check}: ${shown(told)}`);
  }
  return { code, document: { checks: results } };
}

async function certificates(): Promise<string> {
  const { ignoredVariable } = await import('../api/transport/network.ts');
  return ignoredVariable() ?? 'always verified';
}

function needed(): never {
  throw new UsageProblem('Set REPORT_LIBRARY_BASE_URL, or give --demo.');
}

async function sqlite(): Promise<string> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(':memory:');
  const version = String(database.prepare('SELECT sqlite_version() AS version').get()?.version);
  database.close();
  if (walIsSafe(version)) return version;
  throw new UsageProblem(`${version} is unsafe with several processes. Use Node 22.22.3 or newer, or 24.15 or newer.`);
}

async function writable(): Promise<string> {
  const folder = machineFolder();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    return folder;
  } catch (error) {
    const name =
      process.platform === 'win32' ? 'LOCALAPPDATA' : process.platform === 'darwin' ? 'HOME' : 'XDG_CACHE_HOME';
    throw new UsageProblem(`${folder} can't be written (${systemCode(error)}). Set ${name} to a folder that can.`);
  }
}

async function shared(): Promise<string> {
  const folder = sharedFolder();
  if (folder === undefined) return 'not set';
  const may = (mode: number) =>
    access(folder, mode).then(
      () => true,
      () => false,
    );
  if (!(await may(constants.R_OK))) throw new UsageProblem(`${folder} can't be read. PDFs are downloaded instead.`);
  return `${folder}${(await may(constants.W_OK)) ? '' : ', read-only'}`;
}
