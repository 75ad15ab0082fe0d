import type { SpawnOptions } from 'node:child_process';
import { end, spawnOwned } from './owned.ts';

/** Runs a command to its end and gives its exit code and everything it wrote, both streams in order of arrival. */
export async function capture(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<{ code: number; output: string }> {
  const child = spawnOwned(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  await end(child);
  return { code, output };
}
