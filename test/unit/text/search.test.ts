import assert from 'node:assert/strict';
import fc from 'fast-check';
import { normalForm } from '../../../src/text/normalForm.ts';
import type { PageStore, StoredPdf } from '../../../src/text/pages.ts';
import { parseQuery } from '../../../src/text/query.ts';
import { findPages } from '../../../src/text/search.ts';
import { firstMarked, snippetOf } from '../../../src/text/snippet.ts';
import type { PageHit } from '../../../src/text/textIndex.ts';
import { wordsOf } from '../../../src/text/words.ts';
import { keep, openInMemory, sha } from './support/texts.ts';

const marked = ({ snippet, marks }: Pick<PageHit, 'snippet' | 'marks'>) =>
  marks.map(([start, end]) => snippet.slice(start, end));
const snippet = (text: string, query: string) =>
  snippetOf(
    text,
    parseQuery(query).all.flatMap(({ phrases }) => phrases),
  );

/** All hits of a query, some at a time. */
async function findAll(
  store: PageStore,
  query: string,
  wanted: readonly StoredPdf[],
  limit: number,
): Promise<PageHit[]> {
  const all: PageHit[] = [];
  for (let cursor: string | null = null; ; ) {
    const { hits, next } = await findPages(store, parseQuery(query), wanted, { limit, cursor });
    assert.ok(hits.length > 0 || next === null, 'a part that goes on has hits');
    all.push(...hits);
    if (next === null) return all;
    cursor = next;
  }
}

describe('searching pages', () => {
  it('finds across accents, ligatures, widths, soft hyphens, ends of lines and scripts', async () => {
    const store = openInMemory();
    const source =
      'Die Straße zur E\u0301cole: ﬁ\u00adnan-\nziell, ＦＵＬＬ width; תֵל אביב; 環境報告書; हिन्दी; Ελλάς, ŁÓDŹ';
    await keep(store, sha(1), 1, [normalForm(source)]);
    const wanted = store.pdfs();
    for (const query of [
      'strasse',
      'STRASSE',
      'ecole',
      'école',
      'finanziell',
      'full',
      'תל',
      '境報',
      '書',
      '環境報告書',
      'हिन्दी',
      'ελλας',
      'lodz',
    ]) {
      const [hit] = await findAll(store, query, wanted, 5);
      assert.ok(hit, query);
      assert.equal(marked(hit).length, 1, query);
    }
    for (const query of ['strass', 'cole', '告環']) assert.deepEqual(await findAll(store, query, wanted, 5), [], query);
    store.close();
  });

  it('goes on from a cursor, and refuses one that is none', async () => {
    const store = openInMemory();
    await keep(store, sha(1), 3, ['a word', 'a word', 'none']);
    await keep(store, sha(2), 5, ['a word']);
    const wanted = store.pdfs();
    const places = async (limit: number) =>
      (await findAll(store, 'word', wanted, limit)).map(({ sha256, page }) => `${Number.parseInt(sha256, 16)}.${page}`);
    assert.deepEqual(await places(1), ['2.1', '1.1', '1.2']);
    assert.deepEqual(await places(3), ['2.1', '1.1', '1.2']);
    for (const cursor of ['', 'x'.repeat(40), '-1', '1 OR 1']) {
      await assert.rejects(findPages(store, parseQuery('word'), wanted, { limit: 1, cursor }), { problem: 'query' });
    }
    store.close();
  });

  it('asks for more letters where a beginning has too many endings in a large index', async () => {
    const store = openInMemory();
    const many = Array.from({ length: 2500 }, (_, n) => `wo${n}`).join(' ');
    await keep(store, sha(1), 3, [many]);
    const wanted = store.pdfs();
    assert.equal((await findAll(store, 'wo*', wanted, 5)).length, 1);
    store.db.run('UPDATE docs SET pages = 60000');
    for (const query of ['wo*', 'NEAR(wo* wo1, 5)'])
      await assert.rejects(findAll(store, query, wanted, 5), { problem: 'query', message: /more letters/ });
    assert.equal((await findAll(store, 'wo1*', wanted, 5)).length, 1);
    store.close();
  });

  it('takes less room once it was put in order, and finds the same', async () => {
    const store = openInMemory();
    const texts = Array.from({ length: 30 }, (_, n) => `common words of page ${n} ${'abcdefgh'.slice(n % 8)}`);
    for (let n = 1; n <= 3; n++) await keep(store, sha(n), n, texts);
    const room = () => store.db.number('SELECT sum(length(block)) FROM pages_data');
    const wanted = store.pdfs();
    const [before, found] = [room(), await findAll(store, 'common "page 7"', wanted, 50)];
    let turns = 0;
    for (; turns < 100 && store.tidy(); turns += 1);
    assert.ok(turns > 0 && turns < 100 && room() < 0.95 * before, `${turns} turns, ${room()} of ${before}`);
    assert.deepEqual(await findAll(store, 'common "page 7"', wanted, 50), found);
    assert.equal(found.length, 3);
    store.close();
  });
});

describe('a snippet', () => {
  const filler = Array.from({ length: 200 }, (_, n) => `filler${n}`).join(' ');

  it('is the place with most of what was asked for, on one line, cut between words', () => {
    const found = snippet(`${filler} climate ${filler}\n the climate and\nwater plan ${filler}`, 'climate water');
    assert.match(found.snippet, /^…filler\S+ .*the climate and water plan .*filler\d+…$/);
    assert.ok(found.snippet.length < 200, found.snippet);
    assert.deepEqual(marked(found), ['climate', 'water']);
    assert.equal(found.count, 3);
  });

  it('shows all that was asked for where it stands far apart, in the order of the page', () => {
    const two = snippet(`${filler} water plan ${filler} climate goal ${filler}`, 'climate water');
    assert.match(two.snippet, /^…filler.* water plan .*filler\d+ … filler.* climate goal .*filler\d+…$/);
    assert.deepEqual(marked(two), ['water', 'climate']);
    assert.ok(two.snippet.length < 200, two.snippet);
    const words = ['one', 'two', 'three', 'four'];
    const four = snippet(words.map((word) => `${word} ${filler}`).join(' '), words.join(' '));
    assert.deepEqual([marked(four), four.count], [['one', 'two', 'three'], 4]);
    const missing = snippet(`climate ${filler}`, 'climate water');
    assert.deepEqual(marked(missing), ['climate']);
    assert.doesNotMatch(missing.snippet, / … /);
  });

  it('leads back to its first mark on the page, whatever is left out', () => {
    const pages = ['water plan', `${filler} water plan`, `water plan ${filler}`, `${filler} water plan ${filler}`];
    for (const page of [...pages, `${filler} water plan ${filler} climate goal ${filler}`]) {
      const [start, end] = firstMarked(page, snippet(page, 'climate water')) ?? [];
      assert.deepEqual([start, page.slice(start, end)], [page.indexOf('water'), 'water']);
    }
    assert.equal(firstMarked('another page', snippet(`${filler} water plan`, 'water')), undefined);
  });

  it('marks whole words, beginnings with their words, phrases, and single characters', () => {
    assert.deepEqual(marked(snippet('Planet, plans: PLAN. plan', 'plan')), ['PLAN', 'plan']);
    assert.deepEqual(marked(snippet('Planet, plans: PLAN.', 'plan*')), ['Planet', 'plans', 'PLAN']);
    assert.deepEqual(marked(snippet('scope 2, scope 3; 3 scope', '"scope 3"')), ['scope 3']);
    assert.deepEqual(marked(snippet('報告環境環', '環')), ['環', '環']);
    assert.deepEqual(marked(snippet('報告環境', '告環境')), ['告環境']);
    assert.deepEqual(marked(snippet('a b a b a', '"a b a"')), ['a b a b a']);
  });

  it('shows nothing that turns or hides text', () => {
    const found = snippet('a\u202eb word\u0007 \u2066c\u2028d \u200bword', 'word');
    assert.equal(found.snippet, 'a b word c d word');
    assert.deepEqual(marked(found), ['word', 'word']);
  });

  it('never cuts a character in half, and marks what it shows', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('😀', '𠮷', 'word', ' ', 'é', '環', '\n'), { maxLength: 400 }), (parts) => {
        const found = snippet(parts.join(''), 'word');
        assert.ok(found.snippet.isWellFormed());
        for (const mark of marked(found)) assert.equal(mark, 'word');
      }),
    );
  });
});

/** What a search is to find, by looking at every page. */
function modelFind(pages: ReadonlyMap<string, { day: number; texts: readonly string[] }>, query: string): string[] {
  const { all, without } = parseQuery(query);
  const hasPhrase = (text: string, typed: string, prefix: boolean) => {
    const [words, wanted] = [wordsOf(text), wordsOf(typed)].map((list) => list.map(({ word }) => word)) as [
      string[],
      string[],
    ];
    return words.some((_, at) =>
      wanted.every((word, n) =>
        prefix && n === wanted.length - 1 ? words[at + n]?.startsWith(word) : words[at + n] === word,
      ),
    );
  };
  const has = (text: string) => (clause: (typeof all)[number]) =>
    clause.phrases.every(({ typed, prefix }) => hasPhrase(text, typed, prefix));
  return [...pages]
    .flatMap(([sha256, { day, texts }]) => texts.map((text, at) => ({ sha256, day, page: at + 1, text })))
    .filter(({ text }) => all.every(has(text)) && !without.some(has(text)))
    .map(({ sha256, page }) => `${sha256} ${page}`)
    .sort();
}

describe('the store of pages', () => {
  const word = fc.constantFrom('wine', 'Wine', 'winery', 'wîne', 'oak', 'oaks', 'red', 'of');
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
  const query = fc.oneof(
    word,
    fc.tuple(word, word).map(([a, b]) => `${a} ${b}`),
    fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
    fc.tuple(word, word).map(([a, b]) => `${a} -${b}`),
    fc.constantFrom('wi*', 'oak*', '"red oa"*', 'of -wi*'),
  );
  const n = fc.nat({ max: 12 });
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('add' as const),
        n,
        day: fc.nat({ max: 4 }),
        texts: fc.array(text, { maxLength: 12 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), n }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('search' as const),
        query,
        among: fc.option(fc.array(n)),
        limit: fc.integer({ min: 1, max: 7 }),
      }),
    },
  );

  it('finds what looking at every page would, newest first, whatever came and went', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const store = openInMemory();
        const model = new Map<string, { day: number; texts: readonly string[] }>();
        for (const one of steps) {
          if (one.do === 'add') {
            await keep(store, sha(one.n), one.day, one.texts);
            if (!model.has(sha(one.n))) model.set(sha(one.n), { day: one.day, texts: one.texts });
          } else if (one.do === 'forget') {
            store.forget([sha(one.n)]);
            model.delete(sha(one.n));
          } else {
            const among = one.among?.map(sha);
            const some = new Map([...model].filter(([sha256]) => among?.includes(sha256) ?? true));
            const wanted = store.pdfs().filter(({ sha256 }) => some.has(sha256));
            const hits = await findAll(store, one.query, wanted, one.limit);
            const places = hits.map(({ sha256, page }) => `${sha256} ${page}`);
            assert.deepEqual([...places].sort(), modelFind(some, one.query));
            const days = hits.map(({ sha256 }) => model.get(sha256)?.day ?? -1);
            assert.deepEqual(
              days,
              [...days].sort((a, b) => b - a),
            );
            for (const hit of hits) assert.ok(hit.count > 0 && hit.marks.length > 0);
          }
        }
        for (const pdf of store.pdfs()) {
          const texts = model.get(pdf.sha256)?.texts ?? [];
          assert.deepEqual(
            texts.map((_, at) => store.page(pdf, at + 1)?.text),
            texts,
          );
        }
        store.close();
      }),
      { numRuns: Number(process.env.MODEL_RUNS ?? 60) },
    );
  });
});
