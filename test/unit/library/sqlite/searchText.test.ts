import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { beginningsQuery, wordsOf } from '../../../../src/library/sqlite/searchText.ts';

describe('the words of a text', () => {
  it('are folded, in their order', () => {
    assert.deepEqual(wordsOf('Überblick — Ångström’s XPAR_BRV_2023'), [
      ...['uberblick', 'angstrom', 's'],
      ...['xpar', 'brv', '2023'],
    ]);
    assert.deepEqual(wordsOf(' —*" \0'), []);
  });

  it('are the same whether or not something outside ASCII stands beside them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (text) => {
        assert.deepEqual(
          wordsOf(`${text} ø`).filter((word) => word !== 'ø'),
          wordsOf(text),
        );
      }),
    );
  });

  it('are what the index makes of them, so that each is found by its beginnings, whatever it is', () => {
    const db = new DatabaseSync(':memory:');
    db.exec("CREATE VIRTUAL TABLE t USING fts5(words, content='', columnsize=0, detail=none, tokenize='ascii')");
    const add = db.prepare('INSERT INTO t(rowid, words) VALUES (?, ?)');
    const find = db.prepare('SELECT rowid FROM t WHERE t MATCH ? AND rowid = ?');
    let row = 0;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.nat({ max: 30 }), (text, length) => {
        const words = wordsOf(text);
        add.run(++row, words.join(' '));
        const typed = words.map((word) => [...word].slice(0, length + 1).join(''));
        const query = beginningsQuery(typed.join(' '));
        if (words.length === 0) assert.equal(query, null);
        else assert.ok(query !== null && find.get(query, row), text);
      }),
      { numRuns: 500 },
    );
    db.close();
  });
});
