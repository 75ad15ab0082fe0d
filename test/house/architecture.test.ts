import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, text } from './sources.ts';

const guide = text('CONTRIBUTING.md');

/** The numbered lists of files in CONTRIBUTING, by their headings, and how long each may be. */
const walks = [
  ['A report, from the answer of the service to its panel', 15],
  ['A click on Download, to the PDF on disk', 20],
  ['An item of the change feed, to What’s New', 16],
] as const;

function filesOf(heading: string): string[] {
  const [, after = ''] = guide.replaceAll("'", '’').split(`**${heading}**`);
  const [, list = ''] = after.split('\n\n');
  return [...list.matchAll(/^\d+\. `([^`]+)`/gm)].map((match) => match[1] ?? '');
}

describe('the architecture', () => {
  for (const [heading, max] of walks) {
    it(`has a short walk: ${heading}`, () => {
      const files = filesOf(heading);
      assert.ok(files.length > 8 && files.length <= max, `${files.length} files`);
      assert.equal(new Set(files).size, files.length);
    });
  }

  it('names files and folders that exist', () => {
    const named = [...guide.matchAll(/`((?:src|test|scripts|media)\/[\w./-]*)`/g)].map((match) => match[1] ?? '');
    assert.ok(named.length > 40);
    assert.deepEqual(
      named.filter((name) => !existsSync(join(root, name))),
      [],
    );
  });
});
