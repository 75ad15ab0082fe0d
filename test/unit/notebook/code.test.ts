import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { loadingCode, textLiteral } from '../../../src/notebook/code.ts';
import type { CodeLanguage } from '../../../src/notebook/helpers.ts';
import { oddText } from '../../support/languages/oddText.ts';
import { hasProgram, runProgram } from '../../support/languages/programs.ts';

const odd = fc.sample(oddText, 600);
const kept = (text: string) => text.toWellFormed().replaceAll('\0', '');

describe('texts in code', () => {
  it('stay on one line, within their quotes, without a character that cannot be seen', () => {
    fc.assert(
      fc.property(oddText, (text) => {
        const literal = textLiteral(text);
        assert.doesNotMatch(literal, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        assert.match(literal, /^"(?:[^"\\]|\\.)*"$/u);
      }),
    );
  });

  it('read back in Python as they were', function () {
    if (!hasProgram('python3')) this.skip();
    const list = `[${odd.map((text) => textLiteral(text)).join(',')}]`;
    const { out, err } = runProgram(
      'python3',
      ['-c', 'import json,sys; print(json.dumps(eval(sys.stdin.read())))'],
      tmpdir(),
      list,
    );
    assert.deepEqual(JSON.parse(out || err), odd.map(kept));
  });

  it('read back in R as they were', function () {
    this.timeout(60_000);
    if (!hasProgram('Rscript')) this.skip();
    const list = `for (x in c(${odd.map((text) => textLiteral(text)).join(',\n')})) cat(paste(utf8ToInt(x), collapse = " "), "\\n", sep = "")`;
    const { out } = runProgram('Rscript', ['--vanilla', '-'], tmpdir(), list);
    const points = (text: string) => [...kept(text)].map((character) => character.codePointAt(0)).join(' ');
    assert.deepEqual(out.split('\n').slice(0, odd.length), odd.map(points));
  });

  it('name a report without leaving its line', () => {
    fc.assert(
      fc.property(oddText, fc.constantFrom<CodeLanguage>('python', 'r'), (report_key, language) => {
        const lines = (key: string) => {
          const reports = [{ report_id: 1, report_key: key }];
          return loadingCode(language, { reports, folder: 'reports', shown: true, existing: '' }).code.split('\n');
        };
        const plain = lines('KEY');
        const written = lines(report_key);
        assert.equal(written.length, plain.length);
        const differs = written.filter((line, index) => line !== plain[index]);
        const call = /^report (?:=|<-) load_report\((?:1|"(?:[^"\\\p{C}\p{Z}]|\\\$)+")\)$/u;
        assert.ok(
          differs.every((line) => call.test(line)),
          differs.join('\n'),
        );
      }),
    );
  });
});

describe('a table in Python', () => {
  it('is read without a question where the document imports pandas, on a line of its own and indented too', () => {
    const reports = [1, 2].map((id) => ({ report_id: id, report_key: `X_${id}` }));
    const read = (existing: string) =>
      loadingCode('python', { reports, folder: 'reports', shown: true, existing }).table ?? '';
    const empty = '\n'.repeat(65_536);
    for (const before of ['', 'x = 1\n', 'x = 1\r\n', 'try:\n    ', '\n\n\t', empty]) {
      const imported = [`${before}import pandas as pd\n`, `${before}from\tpandas import isna\n`].map(read);
      for (const table of imported) assert.match(table, /^import pandas as pd\n/, JSON.stringify(before.slice(0, 20)));
    }
    for (const none of ['', empty, 'import\npandas\n', '# import pandas\n', 'import pandasy\n'])
      assert.match(read(none), /^try:\n/, JSON.stringify(none.slice(0, 20)));
  });
});

describe('the sample’s notebook', () => {
  /** What Python code binds outside of functions: assignments and loops. */
  const names = (code: string) => {
    const outside = code.replace(/^def .*\n(?:(?: {4}.*)?\n)*/gm, '');
    return [...outside.matchAll(/^(?: {4})*(?:for )?(\w+)(?: = | in )/gm)].map(([, name]) => name);
  };

  it('binds no name that inserted code binds, so that both run in any order', async () => {
    const { cells } = JSON.parse(await readFile('sample/analysis.ipynb', 'utf8')) as {
      cells: { cell_type: string; source: string[] }[];
    };
    const sample = names(cells.flatMap((cell) => (cell.cell_type === 'code' ? [cell.source.join('')] : [])).join('\n'));
    const report = (id: number) => ({ report_id: id, report_key: `X_${id}` });
    const inserted = [[report(1)], [report(1), report(2)]].flatMap((reports) => {
      const { helper, code, table } = loadingCode('python', { reports, folder: 'reports', shown: true, existing: '' });
      return [helper, code, table];
    });
    const ours = names(inserted.join('\n'));
    for (const name of ['report', 'loaded', 'reports']) assert.ok(ours.includes(name), name);
    for (const name of ['holdings', 'holding', 'downloads', 'row']) assert.ok(sample.includes(name), name);
    assert.deepEqual(
      sample.filter((name) => ours.includes(name)),
      [],
    );
  });
});
