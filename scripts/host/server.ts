import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Host } from '../install/hosts.ts';
import { capture } from '../process/capture.ts';
import { end, spawnOwned } from '../process/owned.ts';
import { PlainFailure } from '../progress.ts';
import { editorEnvironment } from './environment.ts';
import { openGate } from './gate.ts';

/** A running editor on loopback. */
export interface Server {
  readonly port: number;
  /** The address of a path, such as `/?folder=/work`, with the token that the editor asks for. */
  url(path: string): string;
  /** Resolves with the exit code when the editor ends by itself or is ended. */
  readonly exited: Promise<number>;
  stop(): Promise<void>;
}

/** VS Code's own server for a test: fresh folders, and the driver that tests need. */
export interface TestServerOptions {
  /** Holds everything the server writes. */
  readonly dataFolder: string;
  readonly logFile: string;
  readonly workspaceTrust: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A person's editor, as `npm start` gives it and as the browser-driven tests use it. */
export interface EditorOptions {
  readonly userDataFolder: string;
  readonly extensionsFolder: string;
  readonly configFile: string;
  /** In a folder that may hold whatever else the editor wants to keep. */
  readonly logFile: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly workspaceTrust: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const startLimitMs = 60_000;
const listening = /(?:HTTP server listening on \/|Extension host agent listening on )(\d*)/;

/** Waits for the line that says where it listens, and gives the port; what the process writes goes to `logFile`. */
async function whenListening(child: ChildProcess, logFile: string) {
  await mkdir(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile, { flags: 'a' });
  const exited = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
  void exited.then(() => log.end());
  const port = await new Promise<number>((resolve, reject) => {
    let seen = '';
    const limit = setTimeout(() => reject(new PlainFailure(`The editor did not start; see ${logFile}.`)), startLimitMs);
    const read = (text: string) => {
      log.write(text);
      if (seen.length > 100_000) return;
      seen += text;
      const found = listening.exec(seen);
      if (found !== null) resolve(Number(found[1]));
      if (/EADDRINUSE/.test(seen)) reject(new PlainFailure('The port is taken.'));
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    void exited.then((code) => reject(new PlainFailure(`The editor ended with code ${code}; see ${logFile}.`)));
    void exited.then(() => clearTimeout(limit));
    child.stdout?.once('close', () => clearTimeout(limit));
  }).catch(async (error: unknown) => {
    await end(child);
    throw error;
  });
  return { port, exited };
}

/** Starts VS Code's server for tests. Throws a PlainFailure when it does not come up. */
export async function startTestServer(host: Host, options: TestServerOptions): Promise<Server> {
  const token = randomBytes(16).toString('hex');
  const args = [host.serverMain, '--host', '127.0.0.1', '--port', '0', '--connection-token', token];
  args.push('--accept-server-license-terms', '--telemetry-level', 'off', '--enable-smoke-test-driver');
  args.push('--server-data-dir', options.dataFolder);
  if (!options.workspaceTrust) args.push('--disable-workspace-trust');
  const env = editorEnvironment(dirname(options.logFile), options.env);
  const child = spawnOwned(host.node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { port, exited } = await whenListening(child, options.logFile);
  const url = (path: string) => `http://127.0.0.1:${port}${path}${path.includes('?') ? '&' : '?'}tkn=${token}`;
  return { port, exited, url, stop: () => end(child) };
}

const editorArguments = (options: Pick<EditorOptions, 'userDataFolder' | 'extensionsFolder' | 'configFile'>) => [
  ...['--user-data-dir', options.userDataFolder],
  ...['--extensions-dir', options.extensionsFolder],
  ...['--config', options.configFile],
];

/** Puts a VSIX into a person's editor, replacing what was there. Throws a PlainFailure with the editor's own words. */
export async function installExtension(
  host: Host,
  vsix: string,
  options: Omit<EditorOptions, 'port' | 'workspaceTrust'>,
): Promise<void> {
  const args = [host.entry, ...editorArguments(options), '--install-extension', vsix, '--force'];
  const { code, output } = await capture(host.node, args, { env: editorEnvironment(dirname(options.logFile)) });
  if (code !== 0) throw new PlainFailure(`The editor did not take the extension:\n${output.trim()}`);
}

/** Starts a person's editor behind a gate on loopback. Throws a PlainFailure when it does not come up. */
export async function startEditor(host: Host, options: EditorOptions): Promise<Server> {
  // Its socket needs no password: nobody else can open this folder. A path below the repository may be too long for one.
  const folder = await mkdtemp(join(tmpdir(), 'editor-'));
  const socketPath = join(folder, 'editor.sock');
  const args = [host.entry, ...editorArguments(options), '--auth', 'none'];
  args.push('--socket', socketPath, '--socket-mode', '600', '--disable-telemetry', '--disable-update-check');
  args.push('--disable-getting-started-override', '--ignore-last-opened');
  if (!options.workspaceTrust) args.push('--disable-workspace-trust');
  const env = editorEnvironment(dirname(options.logFile), options.env);
  const child = spawnOwned(host.node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { exited } = await whenListening(child, options.logFile);
    const gate = await openGate(socketPath, options.port);
    void exited.then(() => gate.close());
    return { port: gate.port, url: gate.url, exited, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
