import assert from 'node:assert/strict';
import { find, text } from './sources.ts';

const sources = await find('src/**/*.ts');

/** The names that are declared in more than one file, with their files. */
function repeated(declaration: RegExp): string[] {
  const declared = sources.flatMap((file) =>
    [...text(file).matchAll(declaration)].map(([, name = '']) => ({ file, name })),
  );
  assert.ok(declared.length > 500);
  return [...Map.groupBy(declared, ({ name }) => name)]
    .map(([name, all]) => ({ name, files: [...new Set(all.map(({ file }) => file))] }))
    .filter(({ files }) => files.length > 1)
    .map(({ name, files }) => `${name}: ${files.join(', ')}`);
}

describe('names', () => {
  it('mean one thing: no type or class is declared in two files', () => {
    assert.deepEqual(repeated(/^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm), []);
  });

  it('mean one thing: no function or value is exported by two files', () => {
    assert.deepEqual(repeated(/^export (?:async )?(?:function\*?|const|let) (\w+)/gm), []);
  });
});

describe('comments', () => {
  it('are no wider than the code', () => {
    const wide = sources.flatMap((file) =>
      text(file)
        .split('\n')
        .flatMap((line, at) => (/^\s*(?:\/\/|\/?\*)/.test(line) && line.length > 120 ? [`${file}:${at + 1}`] : [])),
    );
    assert.deepEqual(wide, []);
  });
});
