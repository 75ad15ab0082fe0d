import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { packageVsix } from '../../scripts/vsix.ts';
import { find, importsOf, root, text } from './sources.ts';
import { readZip } from './zip.ts';

const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(package\.json|package\.nls(\.[\w-]+)?\.json|readme\.md|changelog\.md|support\.md|security\.md|LICENSE\.txt)$/i,
  /^extension\/l10n\/[\w.-]+\.json$/,
  /^extension\/dist\/(extension\.cjs|(chunks|webview|demo|library|downloads)\/[\w.-]+\.(js|css|js\.br)|webview\/charMaps\.br)$/,
  /^extension\/dist\/ThirdPartyNotices\.txt$/,
  /^extension\/dist\/codicons\/codicon\.css$/,
  /^extension\/media\/([\w-]+\/)*[\w-]+\.(svg|png|webp|css|md)$/,
];

const entry = 'extension/dist/extension.cjs';
const maxBytes = 8_000_000;
const maxAtStart = 40_000;
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

  it(`has at most ${maxBytes} bytes`, () => {
    assert.ok(bytes <= maxBytes, `${bytes} bytes`);
  });

  it(`starts with one script of at most ${maxAtStart} bytes`, () => {
    const script = files.get(entry) ?? Buffer.alloc(0);
    const required = [...script.toString().matchAll(/require\("([^"]+)"\)/g)].map((match) => match[1] ?? '');
    assert.deepEqual(
      required.filter((name) => name !== 'vscode' && !builtinModules.includes(name.replace('node:', ''))),
      [],
    );
    assert.ok(script.length > 0 && script.length <= maxAtStart, `${script.length} bytes`);
  });

  it('has panels whose scripts ask for no others, and fit into HTML', () => {
    const scripts = [...files].filter(([name]) => /^extension\/dist\/webview\/[a-zA-Z]+\.js$/.test(name));
    assert.ok(scripts.length > 8);
    for (const [name, content] of scripts) {
      const text = content.toString();
      assert.doesNotMatch(text, /(?:from|import)\s*"\./, name);
      assert.doesNotMatch(text, /<!--|<\/?script/i, name);
      assert.ok(name.endsWith('/shared.js') || text.includes('reportLibraryShared'), name);
    }
  });

  it('names every package that is in it, with its version, its licence, and the licence’s text', async () => {
    const notices = files.get('extension/dist/ThirdPartyNotices.txt')?.toString() ?? '';
    const imported = new Set<string>();
    for (const { specifier, typeOnly } of (await find('src/**/*.ts')).flatMap(importsOf)) {
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';
      if (!typeOnly && name !== 'vscode' && !/^\.+$|^node:/.test(name)) imported.add(name);
    }
    assert.ok(imported.size > 10);
    // It hands on what others have, and has no line of its own.
    assert.ok(imported.delete('lit'));
    for (const name of imported) {
      const { version, license } = JSON.parse(text(`node_modules/${name}/package.json`)) as Record<string, string>;
      assert.ok(notices.includes(`\n${name} ${version}: ${license}\n`), name);
    }
    // What those packages bring along is there too.
    for (const name of ['d3-array', 'lit-html', 'llhttp']) assert.match(notices, new RegExp(`^${name} .*: `, 'm'));
    for (const licence of ['Permission is hereby granted', 'Apache License\n', 'creativecommons.org/licenses/by/4.0'])
      assert.ok(notices.includes(licence), licence);
    assert.equal(notices.split('Permission is hereby granted, free of charge').length, 2, 'a text stands once');
  });

  it('has a README whose pictures and links are in it too', () => {
    const readme = files.get('extension/readme.md')?.toString() ?? '';
    assert.ok(readme.startsWith('# Report Library') && readme.includes('## Troubleshooting'));
    const links = [...readme.matchAll(/\]\((?!\w+:|#)([^)]+)\)/g)].map((match) => match[1] ?? '');
    assert.ok(links.length > 0);
    const names = new Set([...files.keys()].map((name) => name.toLowerCase()));
    assert.deepEqual(
      links.filter((link) => !names.has(`extension/${link}`.toLowerCase())),
      [],
    );
  });

  it('holds no path of the machine that made it', () => {
    const telling = [...files].filter(([, content]) => content.includes(root));
    assert.deepEqual(
      telling.map(([name]) => name),
      [],
    );
  });
});
