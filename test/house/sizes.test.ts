import assert from 'node:assert/strict';
import { find, text } from './sources.ts';

const most = 400;
const lines = (name: string) => text(name).split('\n').length - 1;

describe('files', () => {
  it(`have at most ${most} lines`, async () => {
    const names = await find('src/**/*.{ts,css}', 'test/**/*.ts', 'scripts/**/*.{ts,mjs}', 'bench/**/*.ts', '*.mjs');
    assert.ok(names.length > 100);
    const long = names.filter((name) => lines(name) > most);
    assert.deepEqual(
      long.map((name) => `${name}: ${lines(name)} lines`),
      [],
    );
  });

  it('are whole things, and short ones, as a rule: half of the sources have fewer than 150 lines', async () => {
    const counts = (await find('src/**/*.ts')).map(lines).sort((a, b) => a - b);
    const median = counts[Math.floor(counts.length / 2)] ?? 0;
    assert.ok(median < 150, `the median is ${median}`);
  });
});
