import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packagesIn, writeNotices } from './notices.mjs';

/** Makes the command line's build in a folder a package of its own: manifest, license, notices, and the list of what is in it. */
export async function writeCliPackage(root, metafile, folder) {
  const { version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const manifest = {
    name: 'report-library',
    version,
    description: 'Report Library on the command line: the same PDFs on every machine, from one lock file.',
    license,
    type: 'module',
    bin: { 'report-library': 'dist/cli/main.js' },
    // Older ones bring an SQLite that several processes must not share.
    engines: { node: '>=22.22.3 <23 || >=24.15' },
  };
  const write = (name, value) => writeFile(join(root, folder, name), `${JSON.stringify(value, undefined, 2)}\n`);
  await write('package.json', manifest);
  await write('sbom.cdx.json', await bill(root, metafile, manifest));
  await writeNotices(root, [metafile], folder);
  await copyFile(join(root, 'LICENSE'), join(root, folder, 'LICENSE'));
  await copyFile(join(root, 'src', 'cli', 'README.md'), join(root, folder, 'README.md'));
  await chmod(join(root, folder, 'dist', 'cli', 'main.js'), 0o755);
}

/** The packages whose code is in the build, as CycloneDX; the same for the same build. */
async function bill(root, metafile, { name, version, license }) {
  const component = (named, its, license, type = 'library') => ({
    ...{ type, 'bom-ref': `pkg:npm/${named}@${its}`, name: named, version: its, purl: `pkg:npm/${named}@${its}` },
    licenses: [{ license: { id: license } }],
  });
  const components = packagesIn([metafile]).map(async (path) => {
    const its = JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8'));
    return component(its.name.replace('@', '%40'), its.version, its.license);
  });
  return {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    metadata: { component: component(name, version, license, 'application') },
    components: await Promise.all(components),
  };
}
