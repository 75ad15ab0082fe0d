import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { checkApiKey, checkBaseUrl } from '../api/credentials.ts';
import type { DisposableStore } from '../base/disposable.ts';
import { once } from '../base/once.ts';
import type { Secret } from '../base/secret.ts';
import { systemCode } from '../files/guard.ts';
import type { CommandValues } from './commands.ts';
import { type ExitCode, KeyProblem, UsageProblem } from './exit.ts';
import type { Output } from './output.ts';

export interface CommandContext {
  readonly values: CommandValues;
  /** The names after the command. */
  readonly names: readonly string[];
  readonly account: Account;
  readonly out: Output;
  /** Aborts with Ctrl-C. */
  readonly signal: AbortSignal;
  readonly version: string;
  readonly store: DisposableStore;
  /** Ends the command because of what is wrong with its settings, wherever in a batch that was found out. */
  fail(error: UsageProblem | KeyProblem): void;
}

/** What a command came to: its exit code, and the members of its JSON document. */
export interface CommandOutcome {
  readonly code: ExitCode;
  readonly document: object;
}

/** A script of a thread or a process, by its place below `src`; bundled too, this module is in a folder beside that. */
export function scriptOf(name: string): URL {
  return new URL(`../${name}${extname(import.meta.url)}`, import.meta.url);
}

/** Where the service is, as far as it is set, and how its key is read. */
interface Account {
  readonly isDemo: boolean;
  /** Undefined for the demo, and when nothing says where the service is. */
  readonly baseUrl: string | undefined;
  readonly keyFrom: string;
  /** @throws KeyProblem when there is none, or none that can be one */
  key(): Promise<Secret>;
}

type Env = Record<string, string | undefined>;

const longestFile = 4096;
const urlName = 'REPORT_LIBRARY_BASE_URL';
const keyName = 'REPORT_LIBRARY_API_KEY';

/**
 * The account that a command line means. A key file may name its own base URL, and then belongs to that origin.
 * @param env read once; the key is removed, so that no child process gets it
 * @throws UsageProblem
 */
export async function readAccount(values: CommandValues, env: Env, stdin: NodeJS.ReadStream): Promise<Account> {
  const fromEnv = env[keyName]?.trim() || undefined;
  delete env[keyName];
  if (values.demo) return { isDemo: true, baseUrl: undefined, keyFrom: 'the demo', key: noKey };
  const { 'key-file': path } = values;
  const file = path === undefined ? undefined : await readKeyFile(path);
  if (file && values['key-stdin']) throw new UsageProblem('Give either --key-file or --key-stdin.');
  const named = env[urlName]?.trim() ? usable(env[urlName]) : undefined;
  const own = file?.baseUrl === undefined ? undefined : usable(file.baseUrl);
  if (named !== undefined && own !== undefined && new URL(named).origin !== new URL(own).origin)
    throw new UsageProblem(`The key file belongs to another service than ${urlName} names.`);
  const keyFrom = file ? 'the key file' : values['key-stdin'] ? 'standard input' : keyName;
  const key = once(async () => {
    const text = file?.key ?? (values['key-stdin'] ? await readAll(stdin) : fromEnv);
    if (text === undefined) return noKey();
    const checked = checkApiKey(text);
    if (!checked.ok) throw new KeyProblem(`The key from ${keyFrom} can't be used. ${checked.reason}`);
    return checked.key;
  });
  return { isDemo: false, baseUrl: own ?? named, keyFrom, key: () => key.get() };
}

function noKey(): Promise<Secret> {
  return Promise.reject(
    new KeyProblem(`There is no API key. Set ${keyName}, or give --key-stdin, --key-file FILE or --demo.`),
  );
}

function usable(baseUrl = ''): string {
  const checked = checkBaseUrl(baseUrl);
  if (checked.ok) return checked.baseUrl;
  throw new UsageProblem(`The base URL can't be used. ${checked.reason}`);
}

/** One or two lines: the base URL, if it is there, and the key. */
async function readKeyFile(path: string): Promise<{ baseUrl: string | undefined; key: string }> {
  const lines = (await readOwnFile(path)).split(/\r?\n/).flatMap((line) => line.trim() || []);
  const [first = '', second, ...more] = lines;
  if (first === '' || more.length > 0)
    throw new UsageProblem('A key file has one line with the key, or two: the base URL and the key.');
  return second === undefined ? { baseUrl: undefined, key: first } : { baseUrl: first, key: second };
}

/** The text of a small file that is this user's own, and that nobody else may read. @throws UsageProblem */
async function readOwnFile(path: string): Promise<string> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const { size, mode, uid } = await file.stat();
    if (size > longestFile) throw new UsageProblem('The key file is too large to be one.');
    // Windows has no modes; its home folders are closed to other users.
    if (process.getuid && uid !== process.getuid()) throw new UsageProblem('The key file is not yours.');
    if (process.getuid && (mode & 0o7177) !== 0)
      throw new UsageProblem('Others may read the key file. Run chmod 600 on it first.');
    return (await file.read({ buffer: Buffer.alloc(longestFile) })).buffer.toString('utf8').replace(/\0+$/, '');
  } catch (error) {
    if (error instanceof UsageProblem || !(error instanceof Error)) throw error;
    const code = systemCode(error);
    if (code === 'ELOOP') throw new UsageProblem('The key file is a symbolic link. Give the path of the file itself.');
    throw new UsageProblem(`The key file can't be read${code === undefined ? '' : ` (${code})`}.`);
  }
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  if (stdin.isTTY) throw new UsageProblem('--key-stdin reads a pipe or a file; a key typed here could be seen.');
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > longestFile) throw new KeyProblem('Standard input is too long to be a key.');
  }
  return text;
}
