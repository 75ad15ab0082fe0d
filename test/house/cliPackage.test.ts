import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { packageVsix } from '../../scripts/vsix.ts';
import { root } from './sources.ts';

const allowed = [
  /^package\/(package\.json|README\.md|LICENSE|ThirdPartyNotices\.txt|sbom\.cdx\.json)$/,
  /^package\/dist\/(cli\/main|(chunks|demo|library|downloads|text|tools|export)\/[\w.-]+)\.js$/,
  /^package\/dist\/text\/pdfium\.wasm$/,
];
const maxBytes = 4_000_000;

interface Bill {
  readonly components: readonly { name: string; version: string; licenses: { license: { id: string } }[] }[];
}

/** The files of a tar by their names; names of our own package are short and plain. */
function readTar(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0; ) {
    const text = (from: number, length: number) =>
      bytes.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8);
    files.set(text(0, 100), bytes.subarray(at + 512, at + 512 + size));
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return files;
}

describe('the package of the command line', function () {
  this.timeout(180_000);
  let tarball: string;
  let files: ReadonlyMap<string, Buffer>;
  before(async () => {
    ({ tarball } = await packageVsix());
    files = readTar(gunzipSync(readFileSync(tarball)));
  });
  const json = <T>(name: string) => JSON.parse(files.get(`package/${name}`)?.toString() ?? '') as T;

  it('holds what it needs and nothing else, and no path of the machine that made it', () => {
    assert.deepEqual(
      [...files.keys()].filter((name) => !allowed.some((pattern) => pattern.test(name))),
      [],
    );
    assert.ok(readFileSync(tarball).length <= maxBytes, `${readFileSync(tarball).length} bytes`);
    const telling = [...files].filter(([, content]) => content.includes(root)).map(([name]) => name);
    assert.deepEqual(telling, []);
  });

  it('says which Node it runs on, and depends on no other package', () => {
    const { name, version, license, engines, bin, ...rest } = json<Record<string, unknown>>('package.json');
    const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    assert.deepEqual([name, version, license], ['report-library', own.version, 'MIT']);
    assert.deepEqual([engines, bin], [{ node: '>=22.22.3 <23 || >=24.15' }, { 'report-library': 'dist/cli/main.js' }]);
    assert.deepEqual(Object.keys(rest), ['description', 'type']);
    assert.match(files.get('package/LICENSE')?.toString() ?? '', /Permission is hereby granted/);
  });

  it('lists every package whose code is in it, with its license and the license’s text', () => {
    const notices = files.get('package/ThirdPartyNotices.txt')?.toString() ?? '';
    const { components } = json<Bill>('sbom.cdx.json');
    for (const { name, version, licenses } of components)
      assert.ok(notices.includes(`\n${name.replace('%40', '@')} ${version}: ${licenses[0]?.license.id}\n`), name);
    const names = components.map(({ name }) => name);
    for (const name of ['undici', 'zod', 'papaparse']) assert.ok(names.includes(name), name);
  });
});
