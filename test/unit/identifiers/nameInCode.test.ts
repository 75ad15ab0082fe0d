import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nameAt, typedTextAt } from '../../../src/identifiers/nameInCode.ts';
import { anyText } from './arbitraries.ts';

/** The line without its marker, and the marker's place. */
function at(marked: string): [line: string, offset: number] {
  const offset = marked.indexOf('¦');
  return [marked.replace('¦', ''), offset];
}

describe('A name in code', () => {
  const examples: readonly (readonly [line: string, name: string, form: string])[] = [
    ['df["std_¦gri"]', 'std_gri', 'subscript'],
    ["df['¦std_gri']", 'std_gri', 'subscript'],
    ['df[["company", "std_gri¦"]]', 'std_gri', 'subscript'],
    ['table.rows[0]["¦type"] = 1', 'type', 'subscript'],
    ['columns = ["¦type"]', 'type', 'quoted'],
    ['{"¦type": "object"}', 'type', 'quoted'],
    ['| `¦std_gri` | boolean |', 'std_gri', 'quoted'],
    ['df.std_¦gri.sum()', 'std_gri', 'attribute'],
    ['df$std_¦gri', 'std_gri', 'attribute'],
    ['df[!, :std_¦gri]', 'std_gri', 'attribute'],
    ['"x".ti¦tle()', 'title', 'bare'],
    ['df.ti¦tle()', 'title', 'bare'],
    ['std_¦gri = 1', 'std_gri', 'bare'],
    ['"a std_¦gri b"', 'std_gri', 'bare'],
    [`${' '.repeat(100)}st¦d_gri`, 'std_gri', 'bare'],
    ['df["std_¦gri', 'std_gri', 'bare'],
    ['df["std_¦gri\']', 'std_gri', 'bare'],
    ['df[`std_¦gri`]', 'std_gri', 'quoted'],
    ['df["a b", \'c\', "¦type"]', 'type', 'subscript'],
    ['df[a + "¦type"]', 'type', 'quoted'],
    [`df[${' '.repeat(490)}"¦type"]`, 'type', 'subscript'],
    [`df[${' '.repeat(500)}"¦type"]`, 'type', 'quoted'],
    ['f(x)["¦type"]', 'type', 'subscript'],
    ['= [["¦type"]]', 'type', 'quoted'],
    ['.ti¦tle', 'title', 'bare'],
    ['f(x).ti¦tle', 'title', 'attribute'],
    ['df.ti¦tle  (', 'title', 'bare'],
    ['Base::ti¦tle', 'title', 'bare'],
    ['a:ti¦tle', 'title', 'bare'],
    [`${'n'.repeat(30)}¦${'n'.repeat(34)}`, 'n'.repeat(64), 'bare'],
    [`¦${'n'.repeat(64)}`, 'n'.repeat(64), 'bare'],
    [`${'n'.repeat(64)}¦`, 'n'.repeat(64), 'bare'],
  ];
  for (const [marked, name, form] of examples) {
    it(`${marked} is ${name}, ${form}`, () => {
      const placed = nameAt(...at(marked));
      assert.deepEqual([placed?.name, placed?.form], [name, form]);
    });
  }

  it('is none between names, and none of more than 64 characters', () => {
    for (const marked of [
      'a ¦ b',
      '¦',
      '"¦"',
      `¦${'n'.repeat(65)}`,
      `${'n'.repeat(65)}¦`,
      `${'n'.repeat(40)}¦${'n'.repeat(25)}`,
    ])
      assert.equal(nameAt(...at(marked)), undefined, marked);
  });

  it('is where it says, whatever the line', () => {
    fc.assert(
      fc.property(anyText, fc.nat(200), (line, offset) => {
        const placed = nameAt(line, Math.min(offset, line.length));
        if (placed) assert.equal(line.slice(placed.start, placed.end), placed.name);
      }),
    );
  });
});

describe('A text that is being typed', () => {
  const examples: readonly (readonly [before: string, wanted: string, owner?: string])[] = [
    ['x = df["', 'column', 'df'],
    ["df['std_", 'column', 'df'],
    ['reports[["company", "std', 'column', 'reports'],
    ['sr = df[df["type"] == "', 'type'],
    ['df[df["type"].isin(["SR", "', 'type'],
    ["df.query(x) if report_type in ('SR', '", 'type'],
    ['df[df.type != "A', 'type'],
    ['pl.col("class").is_in(["', 'class'],
    ['df["report_class"] != "', 'class'],
    ['report_type not in ["SR", "', 'type'],
    ['df.type.eq("', 'type'],
    ['x = "a\\"b"; df["', 'column', 'df'],
    ["x = 'a\"b'; df['", 'column', 'df'],
    ['f(x)["', 'column'],
    [`${'x'.repeat(1996)}[["y`, 'column'],
    ['df["' + 'x'.repeat(40), 'column', 'df'],
  ];
  for (const [before, wanted, owner] of examples) {
    it(`${before} wants a ${wanted}`, () => {
      const typed = typedTextAt(before);
      assert.deepEqual([typed?.wanted, typed?.owner], [wanted, owner]);
    });
  }

  for (const before of [
    'x = ["',
    'print("',
    '# df["',
    'df["a"] + "',
    'd = {"',
    'df[0',
    'open("a b',
    'df["' + 'x'.repeat(41),
    `${' '.repeat(1997)}df["`,
    'df["a"]  # "',
    'df.types == "',
    'it\'s df["',
    '"df["',
  ]) {
    it(`${before} wants nothing of ours`, () => assert.equal(typedTextAt(before), undefined));
  }

  it('costs no more than its line, whatever the line', () => {
    const unit = fc.constantFrom(
      '"',
      "'",
      '[',
      'df',
      '["type"]',
      ' == ',
      '.isin([',
      ',',
      ' ',
      'in (',
      '"SR",',
      '\\',
      '_',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 600 }), (parts) => {
        const before = parts.join('');
        const typed = typedTextAt(before);
        if (typed) assert.match(before[typed.start - 1] ?? '', /["']/);
      }),
      { numRuns: 1000 },
    );
  });
});
