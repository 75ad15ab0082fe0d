import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { reportText } from '../../../src/library/searchWords.ts';
import { Connection } from '../../../src/library/sqlite/connection.ts';
import { ReportWords } from '../../../src/library/sqlite/reportWords.ts';
import { Tokenizer } from '../../../src/library/sqlite/tokenizer.ts';
import { report } from './support/wireReports.ts';

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

  it('of a report are gathered once, and are those of its text, whoever shared a company with it before', () => {
    const words = new ReportWords();
    const odd = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('Bréval Foods SA', 'BRÉVAL foods', 'A-1_b', 'a\0b', 'x\ud800y'),
    );
    const fields = fc.record(
      {
        ...{ company_name: odd, company_isin: odd, company_ticker: fc.option(odd), report_title: odd },
        ...{ report_key: fc.constantFrom('K_2024_SR', 'KX_2024', 'other 7'), company_key: fc.constantFrom('K', 'L-2') },
      },
      { requiredKeys: ['report_key', 'company_key'] },
    );
    fc.assert(
      fc.property(fields, odd, (changes, title) => {
        const one = report(1, changes);
        const given = { ...one, metadata: { ...one.metadata, title } };
        const sorted = (text: string) => tokenizer.words(text, -1).sort();
        const { text, own, shared } = words.of(given);
        assert.deepEqual(sorted(text), sorted(reportText(given)));
        assert.deepEqual(sorted([...own, ...shared].join(' ')), sorted(text));
      }),
      { numRuns: 400 },
    );
  });
});
