import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { Connection } from '../../../src/library/sqlite/connection.ts';
import { Tokenizer } from '../../../src/library/sqlite/tokenizer.ts';

describe('the words of a text', () => {
  const tokenizer = new Tokenizer(new Connection(new DatabaseSync(':memory:')));
  after(() => tokenizer.close());

  it('are folded, each once, in their order', () => {
    assert.deepEqual(tokenizer.words('Überblick — Ångström’s ÜBERBLICK XPAR_BRV_2023', 10), [
      'uberblick',
      'angstrom',
      's',
      'xpar',
      'brv',
      '2023',
    ]);
    assert.deepEqual(tokenizer.words('one two three', 2), ['one', 'two']);
    assert.deepEqual(tokenizer.words(' —*" ', 5), []);
  });

  it('are the same whether SQLite or the short cut for ASCII splits them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (text) => {
        // A letter outside ASCII, folded away afterwards, sends the text the long way.
        const long = tokenizer.words(`${text} ø`, -1).filter((word) => word !== 'ø');
        assert.deepEqual(tokenizer.words(text, -1), long);
      }),
      { numRuns: 300 },
    );
  });
});
