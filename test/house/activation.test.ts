import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageVsix } from '../../scripts/vsix.ts';
import { commandIds, viewIds } from '../../src/editor/common/contributions.ts';
import { atStart, entry } from './atStart.ts';
import { text } from './sources.ts';
import { readZip } from './zip.ts';

const disposable = { dispose() {} };

/** Stands for the whole of an API: whatever is called is noted by its name, and gives the same again. */
function recorder(name: string, calls: string[]): unknown {
  const target = class {};
  return new Proxy(target, {
    get: (_, property) =>
      property === 'dispose' ? disposable.dispose : recorder(`${name}.${String(property)}`, calls),
    apply: () => {
      calls.push(name);
      return recorder(`${name}()`, calls);
    },
    construct: () => {
      calls.push(`new ${name}`);
      return recorder(name, calls) as object;
    },
  });
}

interface Activation {
  /** Calls of the editor's API, in their order. */
  readonly calls: readonly string[];
  /** Modules that were asked for. */
  readonly asked: readonly string[];
  /** What was read of what the editor keeps for the extension. */
  readonly read: readonly string[];
}

/** The editor's API as a module, with the names that its declarations give; each stands for what `global` holds of it. */
function apiModule(global: string): string {
  const declared = text('node_modules/@types/vscode/index.d.ts').matchAll(
    /^\texport (?:const )?(?:class|enum|namespace|const|let) (\w+)/gm,
  );
  const names = new Set([...declared].map(([, name]) => name));
  const lines = [...names].map((name) => `export const ${name} = globalThis.${global}.${name};`);
  return `data:text/javascript,${encodeURIComponent(lines.join('\n'))}`;
}

/** Activates the packaged entry in a place where nothing but the editor's API and what loads with it can be had. */
async function activate(): Promise<Activation> {
  const { file } = await packageVsix();
  const files = readZip(readFileSync(file));
  const folder = await mkdtemp(join(tmpdir(), 'activation-'));
  const names = atStart(files).files;
  const own = new Set(names.map((name) => pathToFileURL(join(folder, name)).href));
  const calls: string[] = [];
  const asked: string[] = [];
  const read: string[] = [];
  const global = 'editorInActivationTest';
  Object.defineProperty(globalThis, global, { value: recorder('vscode', calls), configurable: true });
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (context.parentURL?.startsWith(pathToFileURL(folder).href) !== true) return next(specifier, context);
      if (!own.has(new URL(specifier, context.parentURL).href)) asked.push(specifier);
      return specifier === 'vscode' ? { url: apiModule(global), shortCircuit: true } : next(specifier, context);
    },
  });
  try {
    for (const name of ['extension/package.json', ...names]) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), files.get(name) ?? '');
    }
    const extension = (await import(pathToFileURL(join(folder, entry)).href)) as {
      activate(context: unknown): unknown;
    };
    await start(extension, read);
  } finally {
    hooks.deregister();
    Reflect.deleteProperty(globalThis, global);
    await rm(folder, { recursive: true });
  }
  return { calls, asked: [...new Set(asked)].sort(), read };
}

async function start(extension: { activate(context: unknown): unknown }, read: string[]): Promise<void> {
  const memento = (name: string) => ({ get: (key: string) => void read.push(`${name}: ${key}`) });
  extension.activate({
    subscriptions: [],
    extension: { packageJSON: JSON.parse(text('package.json')) },
    extensionMode: 1,
    workspaceState: memento('workspaceState'),
    globalState: memento('globalState'),
    secrets: { onDidChange: () => disposable, get: (key: string) => void read.push(`secrets: ${key}`) },
  });
  // What activation left for later, without waiting for anybody, has begun by now.
  await new Promise((resolve) => setImmediate(resolve));
}

describe('activation', () => {
  let activation: Activation;
  before(async () => {
    activation = await activate();
  });

  const counted = (name: string) => activation.calls.filter((call) => call === `vscode.${name}`).length;

  it('asks for the editor’s API alone, and loads nothing else', () => {
    // Every script brings Node's `require`, for packages that ask for Node's modules with it.
    assert.deepEqual(activation.asked, ['node:module', 'vscode']);
  });

  it('registers, and reads no setting, shows nothing, runs nothing', () => {
    const wanted =
      /^(new )?vscode\.(\w+\.(register\w+|onDid\w+|createTreeView|createOutputChannel)|EventEmitter|Disposable\.from|window\.createTreeView\(\)\.onDid\w+|\w+\(\)\.event)$/;
    assert.deepEqual(
      activation.calls.filter((call) => !wanted.test(call)),
      [],
    );
    assert.equal(counted('commands.executeCommand'), 0);
    assert.equal(counted('commands.registerCommand'), Object.keys(commandIds).length);
    assert.equal(counted('window.createTreeView'), Object.keys(viewIds).length);
  });

  it('calls the editor at most 60 times besides its commands', () => {
    const others = activation.calls.filter((call) => call !== 'vscode.commands.registerCommand');
    assert.ok(others.length <= 60, `${others.length} calls: ${others.join(', ')}`);
  });

  it('reads two things: whether a batch of downloads was cut off here, and whether there were quotes', () => {
    const kept = ['reportLibrary.downloads.pending', 'reportLibrary.evidence.kept'];
    assert.deepEqual(
      activation.read,
      kept.map((key) => `workspaceState: ${key}`),
    );
  });
});
