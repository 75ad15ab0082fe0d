import assert from 'node:assert/strict';
import { folderProblem, safeSegment } from '../../../src/downloads/path.ts';

describe('a name in a path', () => {
  it('has a plain sign where a character is none for names, each time it stands there', () => {
    for (const [text, name] of [
      ['a~b', 'a_b'],
      ['a\ud800b', 'a_b'],
      ['a/b:c', 'a_b_c'],
      ['..a', '_a'],
      ['a. .', 'a'],
      ['a\u200eb', 'ab'],
      ['...', '_'],
      ['', '_'],
      ['con', 'con_'],
    ] as const) {
      assert.equal(safeSegment(text), name, JSON.stringify(text));
    }
  });

  it('is cut only when it is longer than it may be, by whole characters, and bears no blank or dot at its end', () => {
    assert.equal(safeSegment('abcdefghijklmnop', '', 16), 'abcdefghijklmnop');
    assert.match(safeSegment('abcdefghijklmnopq', '', 16), /^abcdefg-[0-9a-f]{8}$/);
    assert.match(safeSegment('abc. efghijklmnop', '', 14), /^abc-[0-9a-f]{8}$/);
    assert.match(safeSegment('äöüäöüäöüäöü', '', 16), /^äöü-[0-9a-f]{8}$/);
  });

  it('of a downloads folder is one that every system takes', () => {
    for (const bad of ['con', 'reports/lpt1.old', 'a?b', 'a|b/reports', 'reports~1']) {
      assert.match(folderProblem(bad) ?? '', /some systems/, bad);
    }
  });
});
