import assert from 'node:assert/strict';
import { rankPages } from '../../../src/text/rank.ts';
import { keep, openInMemory, sha } from './support/texts.ts';

describe('Ranking pages', () => {
  const first = async (texts: readonly string[], question: string) => {
    const store = openInMemory();
    await keep(store, sha(1), 1, texts);
    const hits = await rankPages(store, question, { pdfs: store.pdfs(), reports: [], limit: 10 });
    store.close();
    return hits.map(({ page }) => page);
  };
  const filler = 'Our company has a long history and many sites in several countries.';

  it('knows other names of a thing, in other languages too, and codes of standards', async () => {
    const texts = [filler, 'Die Belegschaft umfasste 4 310 Personen.', 'Scope 1: 20 t', filler];
    assert.deepEqual(await first(texts, 'How many employees are there?'), [2]);
    assert.deepEqual(await first(texts, 'What does it say on ESRS S1-6?'), [2]);
    assert.deepEqual(await first(texts, 'GRI 305-1'), [3]);
  });

  it('puts the page with most of what is asked for first', async () => {
    const some = `${filler} Water is scarce here. ${filler}`;
    assert.deepEqual(await first([some, `${filler} Water of suppliers is audited.`], 'water suppliers'), [2, 1]);
  });

  it('leaves out stop words, and takes a word as it is written', async () => {
    assert.deepEqual(await first(['Which is the what of it.', 'Zephyrs blow.'], 'What is the number of zephyrs?'), [2]);
    assert.deepEqual(await first(['Zephyrs blow.', 'A zephyr blew.'], 'Where is the zephyr?'), [2]);
  });

  it('leads a question that names a company and a year to its report, and never to a PDF that is not given', async () => {
    const store = openInMemory();
    const text = 'Revenue rose to 120 million.';
    for (const at of [1, 2, 3, 4]) await keep(store, sha(at), 1, [text]);
    const named = (at: number, company: string, year: number) => ({
      ...{ sha256: sha(at), company, years: [year] },
    });
    const reports = [
      ...[named(1, 'Orlestone Minerals Limited', 2022), named(2, 'Orlestone Banking Group plc', 2022)],
      ...[named(3, 'Orlestone Banking Group plc', 2023), named(4, 'Water Works plc', 2023)],
    ];
    const pdfs = store.pdfs();
    const best = async (question: string, given = pdfs) =>
      (await rankPages(store, question, { pdfs: given, reports, limit: 1 }))[0]?.sha256;
    assert.equal(await best('Revenue of Orlestone Banking in 2023?'), sha(3));
    assert.equal(await best('turnover orlestone minerals'), sha(1));
    assert.equal(await best('Orlestone Banking revenue 2022/23'), sha(3));
    const others = pdfs.filter(({ sha256 }) => sha256 !== sha(3));
    assert.equal(await best('Revenue of Orlestone Banking in 2023?', others), sha(2));
    assert.equal(await best('Revenue of Orlestone Banking in 2023?', []), undefined);
    store.close();
  });

  it('finds nothing for a question that asks for nothing, and takes any text', async () => {
    for (const text of ['', 'what is it?', '"', '*', 'NEAR(', '環境', '\u0000', 'x'.repeat(5000)]) {
      assert.deepEqual(await first([filler], text), []);
    }
    assert.deepEqual(await first([filler, '環境報告書'], '環境報告'), [2]);
  });

  it('ends when it is cancelled', async () => {
    const store = openInMemory();
    const signal = AbortSignal.abort(new Error('enough'));
    const ended = () => {
      const pdfs = store.pdfs();
      return assert.rejects(rankPages(store, 'history of sites', { pdfs, reports: [], limit: 1, signal }), /enough/);
    };
    await keep(store, sha(1), 1, [filler]);
    await ended();
    // So many are asked all at once.
    for (let at = 2; at <= 30; at++) await keep(store, sha(at), 1, [filler]);
    await ended();
    store.close();
  });
});
