#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { looksLikeKey } from '../base/secret.ts';
import { type CommandSpec, type CommandValues, commands, help, helpOf } from './commands.ts';

/** What is wrong with the command line itself; ends with 2. */
class WrongUsage extends Error {}

/** Runs a command line and gives its exit code. What doesn't belong to all commands is loaded with the command. */
async function run([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (['help', '--help', '-h'].includes(name)) return say(args[0] ? helpOf(specOf(args[0])) : help());
  if (['--version', '-v'].includes(name)) return say(`${version()}\n`);
  const spec = specOf(name);
  if (args.includes('--help') || args.includes('-h')) return say(helpOf(spec));
  if (args.some(holdsKey))
    throw new WrongUsage(
      'An argument looks like an API key, which is never given as one. Set REPORT_LIBRARY_API_KEY. If it is a path, begin it with ./ or /.',
    );
  if (!runsOn(process.versions.node))
    throw new WrongUsage(
      `report-library needs Node.js 22.22.3 or newer of version 22, or 24.15 or newer. This is Node.js ${process.versions.node}.`,
    );
  const { parseArgs } = await import('node:util');
  const { values, positionals } = read(() => {
    const options = Object.fromEntries(
      Object.entries(spec.options).map(([option, { value, multiple = false }]) => [
        option,
        { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple },
      ]),
    );
    return parseArgs({ args, options, allowPositionals: true });
  });
  const [min, max] = spec.takes;
  if (positionals.length < min || positionals.length > max) {
    const takes = max === 0 ? 'takes no arguments' : `needs ${spec.usage.replace(/ …$/, '')}`;
    throw new WrongUsage(`report-library ${spec.name} ${takes}.`);
  }
  const { runCliCommand } = await import('./run.ts');
  return runCliCommand(spec, values as CommandValues, positionals, version());
}

/** Whether an argument, or its value, has a key in it. What begins as a path is one, whatever its folders. */
function holdsKey(argument: string): boolean {
  const value = argument.replace(/^--[a-z-]+=/, '');
  return looksLikeKey(value) && !/^(\.{0,2}[\\/]|[a-z]:[\\/])/i.test(value);
}

/** Node versions that the package's manifest allows; older ones lack features or have an unsafe SQLite. */
function runsOn(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  return major > 24 || (major === 24 && minor >= 15);
}

function specOf(name: string): CommandSpec {
  const spec = commands.find((one) => one.name === name);
  // Not repeated: it may be a key in the wrong place.
  if (!spec) throw new WrongUsage('There is no such command.');
  return spec;
}

/** What reads the command line says which option is wrong; it never repeats the value of one. */
function read<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new WrongUsage(`${error.message.split('. ')[0]}.`) : error;
  }
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function version(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** In JSON, too, when that is asked for: a program that reads it gets a document however the command ended. */
function sayWrong(message: string, args: readonly string[]): number {
  const error = { kind: 'usage', message };
  const document = { command: commands.find(({ name }) => name === args[0])?.name ?? null, exit: 2, error };
  if (args.includes('--json')) process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
  else process.stderr.write(`${message} Run report-library --help for all commands and options.\n`);
  return 2;
}

// The reader of a pipe may have seen enough, as `head` has. The work goes on, and its exit code stays true.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    if (stream === process.stdout)
      process.stderr.write(`report-library: The output can't be written (${error.code}).\n`);
    process.exit(1);
  });
try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  process.exitCode = sayWrong(error.message, process.argv.slice(2));
}
