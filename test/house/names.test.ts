import assert from 'node:assert/strict';
import { find, text } from './sources.ts';

describe('names', () => {
  it('mean one thing: what is exported as a type or class is declared nowhere else under the same name', async () => {
    const declarations = (await find('src/**/*.ts')).flatMap((file) =>
      [...text(file).matchAll(/^(export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm)].map(
        ([, exported, name = '']) => ({ file, name, isExported: exported !== undefined }),
      ),
    );
    assert.ok(declarations.length > 500);
    const repeated = [...Map.groupBy(declarations, ({ name }) => name)].filter(
      ([, all]) => new Set(all.map(({ file }) => file)).size > 1 && all.some(({ isExported }) => isExported),
    );
    assert.deepEqual(
      repeated.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`),
      [],
    );
  });
});
