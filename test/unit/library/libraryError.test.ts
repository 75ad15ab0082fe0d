import assert from 'node:assert/strict';
import type { LibraryProblem } from '../../../src/library/libraryError.ts';
import { problemOfError } from '../../../src/machine/sqliteFile.ts';

const failed = (more: object) => Object.assign(new Error('x'), more);

describe('an error below the library', () => {
  it('of SQLite is told by its primary code, also inside an extended one', () => {
    const cases: [code: number, problem: LibraryProblem][] = [
      [5, 'busy'],
      [6, 'busy'],
      [261, 'busy'],
      [8, 'not-writable'],
      [14, 'not-writable'],
      [11, 'corrupt'],
      [26, 'corrupt'],
      [267, 'corrupt'],
      [1032, 'corrupt'],
      [10, 'unreadable'],
      [778, 'unreadable'],
      [13, 'disk-full'],
      [1, 'unexpected'],
    ];
    for (const [errcode, problem] of cases) assert.equal(problemOfError(failed({ errcode })), problem, `${errcode}`);
  });

  it('of the disk is told by its name, and any other is not one of the library', () => {
    for (const code of ['ENOSPC', 'EDQUOT']) assert.equal(problemOfError(failed({ code })), 'disk-full', code);
    for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR'])
      assert.equal(problemOfError(failed({ code })), 'not-writable', code);
    for (const other of [failed({ code: 'EODD' }), new Error('x'), failed({ errcode: '5' }), { errcode: 5 }, 'x', null])
      assert.equal(problemOfError(other), null);
  });
});
