import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { packageVsix } from '../../scripts/vsix.ts';
import { commandIds, viewIds } from '../../src/editor/common/contributions.ts';
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

/** Activates the packaged entry in a place where nothing but the editor's API can be had; `import()` rejects. */
async function activate(): Promise<Activation> {
  const { file } = await packageVsix();
  const script = readZip(readFileSync(file)).get('extension/dist/extension.cjs')?.toString() ?? '';
  const calls: string[] = [];
  const asked: string[] = [];
  const read: string[] = [];
  const module = { exports: {} as { activate?: (context: unknown) => unknown } };
  const require = (name: string) => {
    asked.push(name);
    assert.equal(name, 'vscode', `${name} is asked for at activation`);
    return recorder('vscode', calls);
  };
  compileFunction(script, ['module', 'exports', 'require'])(module, module.exports, require);
  const memento = (name: string) => ({ get: (key: string) => void read.push(`${name}: ${key}`) });
  module.exports.activate?.({
    subscriptions: [],
    extension: { packageJSON: { version: '0.0.0' } },
    extensionMode: 1,
    workspaceState: memento('workspaceState'),
    globalState: memento('globalState'),
    secrets: { onDidChange: () => disposable, get: (key: string) => void read.push(`secrets: ${key}`) },
  });
  // What activation left for later, without waiting for anybody, has begun by now.
  await new Promise((resolve) => setImmediate(resolve));
  return { calls, asked, read };
}

describe('activation', () => {
  let activation: Activation;
  before(async () => {
    activation = await activate();
  });

  const counted = (name: string) => activation.calls.filter((call) => call === `vscode.${name}`).length;

  it('asks for the editor’s API alone, and loads nothing else', () => {
    assert.deepEqual(activation.asked, ['vscode']);
  });

  it('registers, and reads no setting, shows nothing, runs nothing', () => {
    const wanted =
      /^(new )?vscode\.(\w+\.(register\w+|onDid\w+|createTreeView|createOutputChannel)|EventEmitter|Disposable\.from|window\.createTreeView\(\)\.onDid\w+|\w+\(\)\.event)$/;
    assert.deepEqual(
      activation.calls.filter((call) => !wanted.test(call)),
      [],
    );
    assert.equal(counted('commands.registerCommand'), Object.keys(commandIds).length);
    assert.equal(counted('window.createTreeView'), Object.keys(viewIds).length);
  });

  it('calls the editor at most 40 times besides its commands', () => {
    const others = activation.calls.filter((call) => call !== 'vscode.commands.registerCommand');
    assert.ok(others.length <= 40, `${others.length} calls: ${others.join(', ')}`);
  });

  it('reads one thing: whether a batch of downloads was cut off here', () => {
    assert.deepEqual(activation.read, ['workspaceState: reportLibrary.downloads.pending']);
  });
});
