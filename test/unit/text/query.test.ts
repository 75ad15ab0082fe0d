import assert from 'node:assert/strict';
import fc from 'fast-check';
import { matchOf, parseQuery } from '../../../src/text/query.ts';
import { TextError } from '../../../src/text/textError.ts';
import { keep, openInMemory, sha } from './support/texts.ts';

const match = (query: string) => matchOf(parseQuery(query), () => null);

describe('a query', () => {
  const meanings: readonly (readonly [query: string, match: string])[] = [
    ['climate Plan', '({text pairs} : ("climate")) AND ({text pairs} : ("plan"))'],
    ['"climate plan"', '(text : ("climate plan"))'],
    ['„Klima Plan“ “a b” «c d»', '(text : ("klima plan")) AND (text : ("a b")) AND (text : ("c d"))'],
    ['Straße ÉCOLE', '({text pairs} : ("strasse")) AND ({text pairs} : ("ecole"))'],
    ['CO2-Ausstoß', '(text : ("co2 ausstoss"))'],
    ['sustain* "scope thr"*', '(text : ("sustain" *)) AND (text : ("scope thr" *))'],
    ['plan -climate', '(({text pairs} : ("plan"))) NOT (({text pairs} : ("climate")))'],
    [
      'plan -"climate risk" −water',
      '(({text pairs} : ("plan"))) NOT ((text : ("climate risk")) OR ({text pairs} : ("water")))',
    ],
    ['NEAR(water risk, 5)', 'text : (NEAR("water" "risk", 5))'],
    ['a NEAR("water risk" plan*)', 'text : (NEAR("water risk" "plan" *, 10)) AND (text : ("a"))'],
    ['-NEAR(water risk, 5) plan', '(({text pairs} : ("plan"))) NOT (text : (NEAR("water" "risk", 5)))'],
    ['環境報告', '(pairs : ("環境 境報 報告"))'],
    ['環', '(pairs : ("環" *))'],
    ['CO2排出', '(text : ("co2")) AND (pairs : ("排出"))'],
    ['ＦＵＬＬ ﬁne', '({text pairs} : ("full")) AND ({text pairs} : ("fine"))'],
    ['OR AND NOT', '(text : ("or")) AND (text : ("and")) AND (text : ("not"))'],
    ['text:water ^x {a}', '(text : ("text water")) AND (text : ("x")) AND (text : ("a"))'],
    ['"unclosed phrase', '(text : ("unclosed phrase"))'],
    ['well-known', '(text : ("well known" OR "wellknown"))'],
  ];
  for (const [query, meaning] of meanings) {
    it(`reads ${query}`, () => assert.equal(match(query), meaning));
  }

  for (const query of ['', '  ', '"', '***', '-', '…']) {
    it(`asks for words instead of ${JSON.stringify(query)}`, () => {
      assert.throws(() => parseQuery(query), { problem: 'query', message: 'Type a word or a “phrase” to find.' });
    });
  }

  it('asks for something to find where all is to be left out', () => {
    assert.throws(() => parseQuery('-water -"climate risk"'), {
      problem: 'query',
      message: /^All words are excluded/,
    });
  });

  it('refuses what no person types', () => {
    assert.throws(() => parseQuery('a '.repeat(501)), { problem: 'query' });
    assert.throws(() => parseQuery('a '.repeat(40)), { problem: 'query' });
  });

  it('never is one that the index does not understand', async () => {
    const store = openInMemory();
    await keep(store, sha(1), 1, ['water and 環境 near or not']);
    const part = fc.constantFrom(
      ...[
        '"',
        '„',
        '“',
        '*',
        '-',
        'NEAR(',
        ')',
        ',',
        '5',
        '(',
        ' ',
        'water',
        '環',
        '環境',
        ':',
        '^',
        '+',
        'AND',
        'NOT',
      ],
      ...["'", '\0', '{', '}', 'text', '\u202e', '\ud800', 'é', '∑'],
    );
    const query = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    fc.assert(
      fc.property(query, (typed) => {
        let sql: string;
        try {
          sql = match(typed);
        } catch (error) {
          return error instanceof TextError && error.problem === 'query';
        }
        store.db.all('SELECT rowid FROM pages WHERE pages MATCH ?', sql);
        return true;
      }),
      { numRuns: 3000 },
    );
    store.close();
  });
});
