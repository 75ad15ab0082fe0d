import assert from 'node:assert/strict';
import { find, text } from './sources.ts';

const maxLines = 400;
const lines = (name: string) => text(name).split('\n').length - 1;

describe('files', () => {
  it(`have at most ${maxLines} lines`, async () => {
    const names = await find('src/**/*.{ts,css}', 'test/**/*.ts', 'scripts/**/*.{ts,mjs}', 'bench/**/*.ts', '*.mjs');
    assert.ok(names.length > 100);
    const long = names.filter((name) => lines(name) > maxLines);
    assert.deepEqual(
      long.map((name) => `${name}: ${lines(name)} lines`),
      [],
    );
  });
});
