import { basename } from 'node:path';
import { PlainFailure } from '../progress.ts';
import { capture } from './capture.ts';

const noNetwork = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/;

/** Runs the npm that runs us (or the one on the path) quietly in `cwd`. Throws a PlainFailure with what npm said. */
export async function npm(args: readonly string[], cwd: string): Promise<void> {
  const flags = [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath;
  const { code, output } =
    cli !== undefined && basename(cli).startsWith('npm-cli')
      ? await capture(process.execPath, [cli, ...flags], { cwd })
      : await capture('npm', flags, { cwd, shell: process.platform === 'win32' });
  if (code === 0) return;
  if (noNetwork.test(output)) {
    throw new PlainFailure(
      'The npm registry cannot be reached: check the network and npm’s proxy settings, then run this again.',
    );
  }
  throw new PlainFailure(`npm ${args.join(' ')} failed; this is what it said:\n${output.trim()}`);
}
