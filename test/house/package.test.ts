import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { packageVsix } from '../../scripts/vsix.ts';
import { atStart, entry } from './atStart.ts';
import { find, importsOf, root, text } from './sources.ts';
import { readZip } from './zip.ts';

const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(package\.json|package\.nls(\.[\w-]+)?\.json|readme\.md|changelog\.md|support\.md|security\.md|LICENSE\.txt)$/i,
  /^extension\/l10n\/[\w.-]+\.json$/,
  /^extension\/dist\/(extension\.js|(chunks|webview|demo|library|downloads|text|tools|export)\/[\w.-]+\.(js|css)|ThirdPartyNotices\.txt)$/,
  /^extension\/dist\/text\/pdfium\.wasm$/,
  /^extension\/dist\/pdfjs\/(cmaps\/[\w-]+\.bcmap|standard_fonts\/[\w-]+\.(pfb|ttf)|wasm\/\w+\.wasm|\w+\/LICENSE\w*)$/,
  /^extension\/docs\/[\w-]+\.md$/,
  /^extension\/media\/([\w-]+\/)*[\w-]+\.(svg|png|gif|webp|css|(nls\.[\w-]+\.)?md|schema\.json)$/,
];

const maxBytes = 8_000_000;
const maxAtStart = 45_000;

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

  it(`starts with at most ${maxAtStart} bytes of scripts, which ask for the editor and Node alone`, () => {
    const { files: names, modules } = atStart(files);
    assert.deepEqual(
      modules.filter((name) => name !== 'vscode' && !name.startsWith('node:')),
      [],
    );
    const size = names.reduce((sum, name) => sum + (files.get(name)?.length ?? 0), 0);
    assert.ok(size <= maxAtStart, `${size} bytes in ${names.length} files`);
  });

  it('has panels whose scripts ask for no others, and fit into HTML', () => {
    const scripts = [...files].filter(([name]) => /^extension\/dist\/webview\/[a-zA-Z]+\.js$/.test(name));
    assert.ok(scripts.length >= 5);
    for (const [name, content] of scripts) {
      const text = content.toString();
      assert.doesNotMatch(text, /(?:from|import)\s*"\./, name);
      assert.doesNotMatch(text, /<!--|<\/?script/i, name);
    }
  });

  it('names every package that is in it, with its version, its license, and the license’s text', async () => {
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
      assert.ok(notices.includes(`\n${name} ${version}: ${license}\n\n`), name);
    }
    // What those packages bring along is there too.
    for (const name of ['@lit/reactive-element', 'lit-html', 'llhttp'])
      assert.match(notices, new RegExp(`^${name} .*: `, 'm'));
    for (const license of ['Permission is hereby granted', 'Apache License\n', 'Attribution 4.0 International'])
      assert.ok(notices.includes(license), license);
  });

  it('has a README whose pictures and links are in it too', () => {
    const readme = files.get('extension/readme.md')?.toString() ?? '';
    assert.ok(readme.startsWith('# Report Library') && readme.includes('## License'));
    assert.doesNotMatch(readme, /\bnpm\b/);
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
