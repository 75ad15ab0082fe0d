import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { packageVsix } from '../../scripts/vsix.ts';
import { root } from './sources.ts';
import { readZip } from './zip.ts';

const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(package\.json|package\.nls(\.[\w-]+)?\.json|readme\.md|changelog\.md|support\.md|security\.md|LICENSE\.txt)$/i,
  /^extension\/l10n\/[\w.-]+\.json$/,
  /^extension\/dist\/(extension\.cjs|(chunks|webview|demo|library|downloads)\/[\w.-]+\.(js|css|js\.br)|webview\/charMaps\.br)$/,
  /^extension\/dist\/codicons\/codicon\.(css|ttf)$/,
  /^extension\/media\/([\w-]+\/)*[\w-]+\.(svg|png|webp|css|md)$/,
];

const entry = 'extension/dist/extension.cjs';
const mostBytes = 1_500_000;
const mostAtStart = 16_000;
describe('the package', () => {
  let files: ReadonlyMap<string, Buffer> = new Map();
  let bytes = 0;
  before(async () => {
    const { file } = await packageVsix();
    const zip = readFileSync(file);
    bytes = zip.length;
    files = readZip(zip);
  });

  it('holds what it needs and nothing else', () => {
    assert.ok(files.has(entry));
    assert.deepEqual(
      [...files.keys()].filter((name) => !allowed.some((pattern) => pattern.test(name))),
      [],
    );
  });

  it(`has at most ${mostBytes} bytes`, () => {
    assert.ok(bytes <= mostBytes, `${bytes} bytes`);
  });

  it(`starts with one script of at most ${mostAtStart} bytes`, () => {
    const script = files.get(entry) ?? Buffer.alloc(0);
    const required = [...script.toString().matchAll(/require\("([^"]+)"\)/g)].map((match) => match[1] ?? '');
    assert.deepEqual(
      required.filter((name) => name !== 'vscode' && !builtinModules.includes(name.replace('node:', ''))),
      [],
    );
    assert.ok(script.length > 0 && script.length <= mostAtStart, `${script.length} bytes`);
  });

  it('holds no path of the machine that made it', () => {
    const telling = [...files].filter(([, content]) => content.includes(root));
    assert.deepEqual(
      telling.map(([name]) => name),
      [],
    );
  });
});
