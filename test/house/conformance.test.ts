import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, text } from './sources.ts';

/** Every clause of the interface, by subject and how many there are. */
const subjects: Readonly<Record<string, number>> = {
  ...{ SVC: 6, COM: 3, RID: 3, TYP: 2, RPT: 2, CNV: 7, FY: 3, COL: 1, ST: 4 },
  ...{ PAG: 1, END: 1, ENT: 1, WL: 1, RES: 2, REP: 1, CHG: 5, LKP: 1, ONE: 1, DL: 4, META: 1 },
  ...{ AUTH: 5, ERR: 3, LIM: 5, VER: 1 },
};
const clauses = Object.entries(subjects).flatMap(([subject, count]) =>
  Array.from({ length: count }, (_, index) => `${subject}-${index + 1}`),
);

interface Row {
  readonly clause: string;
  readonly asks: string;
  readonly code: readonly string[];
  readonly tests: readonly { readonly file: string; readonly title: string }[];
  /** What stands in the cells and is none of the above. */
  readonly rest: readonly string[];
}

const rows = text('test/conformance.md')
  .split('\n')
  .filter((line) => /^\| [A-Z]+-\d+ \|/.test(line))
  .map(readRow);

function readRow(line: string): Row {
  const [clause = '', asks = '', code = '', tests = '', ...more] = line
    .slice(1, -1)
    .split(' | ')
    .map((cell) => cell.trim());
  const entries = tests.split('<br>').map((entry) => ({ entry, match: /^`([^`]+)` › (.+)$/.exec(entry) }));
  const files = code.split('<br>').map((entry) => ({ entry, match: /^`([^`]+)`$/.exec(entry) }));
  return {
    clause,
    asks,
    code: files.flatMap(({ match }) => match?.[1] ?? []),
    tests: entries.flatMap(({ match }) => (match ? [{ file: match[1] ?? '', title: match[2] ?? '' }] : [])),
    rest: [...more, ...[...entries, ...files].flatMap(({ entry, match }) => (match ? [] : [entry]))],
  };
}

const titles = /\bit\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

/** Whether a test file holds a test with this title; what a template fills in may be anything. */
function holds(file: string, title: string): boolean {
  if (!existsSync(join(root, file))) return false;
  return [...text(file).matchAll(titles)].some(([, single, double, template]) => {
    const written = (single ?? double ?? template ?? '').replace(/\\(.)/g, '$1');
    if (template === undefined) return written === title;
    const parts = written.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.+')}$`, 'u').test(title);
  });
}

describe('the table of clauses', () => {
  it('has every clause once, and no other', () => {
    assert.deepEqual(rows.map(({ clause }) => clause).sort(), clauses.toSorted());
  });

  it('says of each what it asks, where it is built, what proves it, and what is open', () => {
    for (const { clause, asks, code, tests, rest } of rows) {
      assert.ok(asks.length > 10, `${clause} asks nothing`);
      assert.ok(code.length > 0, `${clause} names no code`);
      assert.ok(tests.length > 0, `${clause} names no test`);
      assert.ok(rest.length <= 1 && rest.every((entry) => /^open: .{10}/.test(entry)), `${clause}: ${rest.join('; ')}`);
    }
  });

  it('names code that exists', () => {
    const named = rows.flatMap(({ clause, code }) => code.map((file) => ({ clause, file })));
    const missing = named.filter(({ file }) => !file.startsWith('src/') || !existsSync(join(root, file)));
    assert.deepEqual(missing, []);
  });

  it('names tests that exist', () => {
    const named = rows.flatMap(({ clause, tests }) => tests.map((test) => ({ clause, ...test })));
    assert.ok(named.length > clauses.length);
    const missing = named.filter(({ file, title }) => !file.endsWith('.test.ts') || !holds(file, title));
    assert.deepEqual(missing, []);
  });
});
