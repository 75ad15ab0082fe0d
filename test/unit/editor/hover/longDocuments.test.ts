import assert from 'node:assert/strict';
import type { TextDocument } from 'vscode';
import type { Services } from '../../../../src/app/session.ts';
import { mentionsLibrary } from '../../../../src/editor/hover/columnHelp.ts';
import { knownLinks } from '../../../../src/editor/hover/identifierHover.ts';
import { maxDocumentText, readCsvDocument } from '../../../../src/editor/resolve/csv.ts';

/** A document of 49 MB that counts what is read of it. */
function longDocument(line: string) {
  const read = { characters: 0, whole: 0 };
  const lineCount = Math.ceil(49_000_000 / (line.length + 1));
  const document = {
    lineCount,
    version: 1,
    languageId: 'csv',
    uri: { scheme: 'file', path: '/holdings.csv' },
    lineAt(number: number) {
      read.characters += line.length;
      return { text: line, range: { end: { line: number, character: line.length } } };
    },
    offsetAt: (end: { line: number; character: number }) => end.line * (line.length + 1) + end.character,
    getText() {
      read.whole += 1;
      return '';
    },
  };
  return { document: document as unknown as TextDocument, read };
}

describe('A document of 49 MB', () => {
  it('is refused as a table with a plain message, and never copied', () => {
    const { document, read } = longDocument('a,b,c');
    assert.throws(() => readCsvDocument(document), /^Error: holdings\.csv is too large: up to 2,000,000 characters/);
    assert.equal(read.whole, 0);
  });

  for (const length of [1, 80, 1_000_000]) {
    it(`gets links for its first part alone, in turns, with lines of ${length}`, async () => {
      const { document, read } = longDocument('x'.repeat(length));
      let turns = 0;
      const timer = setInterval(() => {
        turns += 1;
      });
      // Nothing in it is an identifier, so that no library is opened.
      const links = await knownLinks({} as Services, document, new AbortController().signal);
      clearInterval(timer);
      assert.deepEqual(links, []);
      assert.ok(length > 2_000 || read.characters <= maxDocumentText, `${read.characters} characters`);
      assert.ok(length > 80 || turns > 0);
    });
  }

  it('is looked through for our columns in its first part alone', () => {
    const { document, read } = longDocument('x'.repeat(79));
    assert.equal(mentionsLibrary(document), false);
    assert.ok(read.characters <= 200_100, `${read.characters} characters`);
  });

  it('stops as soon as nobody waits for its links', async () => {
    const { document } = longDocument('x'.repeat(80));
    const aborted = AbortSignal.abort();
    await assert.rejects(knownLinks({} as Services, document, aborted), { name: 'AbortError' });
  });
});
