import { spawnSync } from 'node:child_process';

/** What a program said and how it ended. */
export interface ProgramRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const utf8 = { LC_ALL: 'C.UTF-8', PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1' };
const limitMs = 60_000;

/** Runs a program of this computer to its end. */
export function runProgram(name: string, args: readonly string[], cwd: string, input = ''): ProgramRun {
  const env = { ...process.env, ...utf8 };
  const ended = spawnSync(name, args, { cwd, input, env, encoding: 'utf8', timeout: limitMs, maxBuffer: 2 ** 26 });
  if (ended.error) throw ended.error;
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}

/** True when this machine has the program. */
export function hasProgram(name: string): boolean {
  const ended = spawnSync(name, ['--version'], { encoding: 'utf8', timeout: limitMs });
  return ended.error === undefined && ended.status === 0;
}
