import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { silentLogger } from '../../../src/base/logger.ts';
import { openTextIndex, type TextIndex } from '../../../src/text/textIndex.ts';
import { catalogOf } from '../../support/demo/generated.ts';
import { hashesOf, TextWorld } from './support/texts.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'src', 'text');
const catalog = catalogOf(40);

describe('the text index in its thread', function () {
  this.timeout(30_000);
  let world: TextWorld;
  let index: TextIndex;
  const open = () =>
    openTextIndex({
      path: world.path,
      worker: pathToFileURL(join(folder, 'text.worker.ts')),
      reader: join(folder, 'reader.worker.ts'),
      logger: silentLogger,
    });
  /** Resolves once `holds` does. */
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) {
      await new Promise<void>((resolve) => {
        const listening = index.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
    }
  };
  const place = async (key: string, day: number) => {
    const report = catalog.reports.find(({ report_key }) => report_key === key);
    assert.ok(report);
    return world.put(`${key}.pdf`, Buffer.from((await catalog.pdf(report)).bytes), day);
  };

  beforeEach(() => {
    world = new TextWorld();
    index = open();
  });
  afterEach(async () => {
    await index.dispose();
    world.remove();
  });

  it('reads the PDFs that are here, finds their pages, and keeps them for the next start', async () => {
    const pdf = await place('XETR_ALBM_2023_AR2', 19_800);
    await index.setHere([pdf]);
    await index.setPublished(hashesOf([pdf]));
    await index.setEnabled(true);
    await until(async () => (await index.coverage(null)).searchable === 1);
    const find = () => index.search({ query: 'Lieferzeiten „zweiten Halbjahr“', shas: null, limit: 5, cursor: null });
    const found = await find();
    const [hit] = found.hits;
    assert.deepEqual([hit?.page, hit?.label], [4, '1']);
    assert.deepEqual(
      hit?.marks.map(([start, end]) => hit.snippet.slice(start, end)),
      ['Lieferzeiten', 'zweiten Halbjahr'],
    );
    assert.deepEqual(found.terms, ['Lieferzeiten', 'zweiten Halbjahr']);
    assert.match((await index.pagesOf(pdf.sha256))?.[3]?.text ?? '', /^Geschäftsverlauf/);
    assert.ok((await index.bytes(null)) > 0);
    await index.dispose();
    await assert.rejects(index.held(null), { name: 'TextError', problem: 'worker-stopped' });
    index = open();
    await index.setHere([pdf]);
    await index.setPublished(hashesOf([pdf]));
    assert.deepEqual(await find(), found);
  });

  it('reads at once what it is asked for, also where nothing is read unasked, and can be given up', async () => {
    const pdf = await place('XPAR_VMIS_2022_AR2', 1);
    await index.setHere([pdf]);
    assert.equal((await index.coverage(null)).paused, 'off');
    const controller = new AbortController();
    const given = index.readNow([pdf.sha256], controller.signal);
    controller.abort();
    await assert.rejects(given, { name: 'AbortError' });
    const [outcome] = await index.readNow([pdf.sha256]);
    assert.equal(outcome?.status, 'read');
    assert.equal((await index.readNow([pdf.sha256]))[0]?.status, 'known');
  });

  it('tells a query that finds nothing by itself in words', async () => {
    await assert.rejects(index.search({ query: '-water', shas: null, limit: 5, cursor: null }), {
      ...{ name: 'TextError', problem: 'query' },
      message: 'All words are excluded. Add a word or a “phrase” to find.',
    });
  });
});
