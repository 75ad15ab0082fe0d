import assert from 'node:assert/strict';
import { catalogOf } from '../../support/demo/generated.ts';
import { hostilePdfs } from '../../support/text/hostilePdfs.ts';
import { pdfReader } from '../../unit/text/support/texts.ts';

const count = Number(process.env.HOSTILE_PDFS ?? 60);
const seed = Number(process.env.HOSTILE_SEED ?? 7);
/** What no PDF may take, in ms, also where other tests keep the processor busy. */
const longest = 150_000;
const reasons = ['encrypted', 'not-a-pdf', 'damaged', 'empty', 'too-slow', 'too-much-memory', 'too-large'];

describe(`${count} hostile and broken PDFs`, () => {
  const pdfs = pdfReader();

  it('are each read or told with a reason, in bounded time, and the next healthy one is read', async () => {
    const { reports, pdf } = catalogOf(8);
    const drawn = reports.filter(({ has_file }) => has_file).filter((_, index) => index % 12 === 0);
    const healthy = await Promise.all(drawn.slice(0, 12).map(async (report) => (await pdf(report)).bytes));
    const said = new Map<string, string>();
    for (const { name, bytes } of hostilePdfs(count, seed, healthy)) {
      const path = await pdfs.put(bytes);
      const begun = performance.now();
      const read = await pdfs.reader.read(path);
      const took = performance.now() - begun;
      const what = read.kind === 'failed' ? read.reason : read.kind;
      said.set(name, what);
      assert.ok(took < longest, `${name}: ${took} ms`);
      assert.ok(read.kind !== 'failed' || reasons.includes(what), `${name}: ${what}`);
      if (read.kind === 'read') assert.ok(read.pages.length <= 20_000 && read.damaged.length < read.pages.length, name);
    }
    const expected = {
      empty: 'empty',
      'no PDF': 'not-a-pdf',
      'a password': 'encrypted',
      'a lock of nobody’s': 'encrypted',
      'pages in a circle': 'damaged',
      'a bomb of zeros': 'too-much-memory',
      'labels in a circle': 'read',
      'pages over the cap': 'read',
    };
    for (const [name, what] of Object.entries(expected)) assert.equal(said.get(name), what, name);
    assert.equal((await pdfs.reader.read(await pdfs.put(healthy[0] ?? ''))).kind, 'read');
  }).timeout(count * 10_000);
});
