import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportManifestName, filesOf, readExportManifest } from '../../../src/export/exportManifest.ts';
import type { TablePart } from '../../../src/export/libraryTables.ts';
import { writeLibrary } from '../../../src/export/writeLibrary.ts';
import { type PartsTask, writeParts } from '../../../src/export/writeParts.ts';
import { watchWrites } from '../../../src/library/sqlite/snapshot.ts';
import { sampleReport } from '../../support/panels/reports.ts';
import { bring, following, openFile, temporaryDirectory } from '../../unit/library/support/stores.ts';

describe('two threads that export a library', () => {
  const place = temporaryDirectory();
  after(() => place.remove());

  it('share the years: each is written once, by either, and the manifest names all', async () => {
    const part = (year: number): TablePart => ({
      ...{ table: 'reports', folder: `reports/fiscal_year=${year}`, columns: [{ name: 'n', type: 'integer' }] },
      ...{ rowsPerFile: 10, rows: 1 },
      after: (key) => (key < year ? [{ key: year, source: `${year}`, values: () => [year] }] : []),
    });
    const parts = [2018, 2019, 2020, 2021].map(part);
    const helped: string[] = [];
    const helper = async (task: PartsTask) => {
      const done = await writeParts(task, parts, () => {});
      helped.push(...done.map(({ folder }) => folder));
      return done;
    };
    const source = { origin: 'https://reports.example', cursor: null, complete: true };
    const { filesWritten, reports } = await writeLibrary({ folder: place.path, source, helper }, parts, () => {});
    assert.deepEqual([filesWritten, reports], [4, 4]);
    assert.ok(helped.length > 0 && helped.length < 4, `${helped.length} of the helper`);
    const manifest = readExportManifest(readFileSync(join(place.path, exportManifestName), 'utf8'));
    assert.deepEqual(
      manifest && filesOf(manifest).map(({ path }) => path.slice(0, path.lastIndexOf('/'))),
      parts.map(({ folder }) => folder),
    );
  });

  it('know whether anyone wrote between the moments at which they opened it', async () => {
    const path = join(place.path, 'library.sqlite');
    const store = openFile(path);
    following(store);
    const writes = await watchWrites(path);
    assert.equal(writes.haveCome(), false);
    bring(store, [sampleReport()]);
    assert.equal(writes.haveCome(), true);
    writes.close();
    store.close();
  });
});
