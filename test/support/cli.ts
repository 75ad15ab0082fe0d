import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { cliForTests, root } from '../../scripts/places.ts';
import type { Secret } from '../../src/base/secret.ts';

/** How a command is run: where, with which home folder, and with what it is told of the service. */
export interface CliRun {
  readonly cwd: string;
  readonly home: string;
  readonly service?: { readonly baseUrl: string; readonly key?: Secret | undefined } | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly stdin?: string | undefined;
  /** Of the command line; the one that is made for the service tests when left out. */
  readonly script?: string | undefined;
  /** What is closed at once, as by somebody who has seen enough. */
  readonly closed?: 'stdout' | 'stderr' | undefined;
  /** Told of the process as soon as it runs. */
  readonly onStart?: ((child: ChildProcess) => void) | undefined;
}

/** What a command came to. */
export interface CliEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const built = join(root, cliForTests, 'dist', 'cli', 'main.js');

/** Runs the command line in a process that has nothing of this one's environment but how to find programs. */
export async function runCli(args: readonly string[], run: CliRun): Promise<CliEnd> {
  const { baseUrl, key } = run.service ?? {};
  const compiled = process.env.NODE_COMPILE_CACHE;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', run.script ?? built, ...args], {
    cwd: run.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: run.home, ...run.env },
      ...(compiled && { NODE_COMPILE_CACHE: compiled }),
      ...(baseUrl && { REPORT_LIBRARY_BASE_URL: baseUrl }),
      ...(key && { REPORT_LIBRARY_API_KEY: key.reveal() }),
    },
  });
  run.onStart?.(child);
  // One that ends without reading it closes its end.
  child.stdin.on('error', () => {});
  child.stdin.end(run.stdin ?? '');
  const read = (name: 'stdout' | 'stderr') => {
    if (run.closed !== name) return text(child[name]);
    child[name].destroy();
    return '';
  };
  const [stdout, stderr, [code]] = await Promise.all([
    read('stdout'),
    read('stderr'),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
