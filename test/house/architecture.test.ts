import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, root, text } from './sources.ts';

const guide = text('CONTRIBUTING.md');

/** The numbered lists of files in CONTRIBUTING, by their headings, and how long each may be. */
const walks = [
  ['A report, from the answer of the service to its panel', 15],
  ['A click on Download, to the PDF on disk', 20],
  ['An item of the change feed, to What’s New', 16],
] as const;

/** A file of a walk, and the name in brackets that links it to one before it where no import does. */
interface Stop {
  readonly file: string;
  readonly link: string | undefined;
}

function stopsOf(heading: string): Stop[] {
  const [, after = ''] = guide.replaceAll("'", '’').split(`**${heading}**`);
  const [, list = ''] = after.split('\n\n');
  const stops = list.matchAll(/^\d+\. `([^`]+)`(?: \(`(\w+)`\))?/gm);
  return [...stops].map(([, file = '', link]) => ({ file, link }));
}

/** Whether one of these leads to the stop: by an import, or by the name that both know. */
function isReached({ file, link }: Stop, before: readonly Stop[]): boolean {
  if (link === undefined) return before.some((one) => importsOf(one.file).some((found) => found.file === file));
  const knows = (name: string) => new RegExp(`\\b${link}\\b`).test(text(name));
  return knows(file) && before.some((one) => knows(one.file));
}

describe('the architecture', () => {
  for (const [heading, max] of walks) {
    it(`has a short walk: ${heading}`, () => {
      const stops = stopsOf(heading);
      const files = stops.map(({ file }) => file);
      assert.ok(files.length > 8 && files.length <= max, `${files.length} files`);
      assert.equal(new Set(files).size, files.length);
      assert.deepEqual(
        stops.filter((stop, at) => at > 0 && !isReached(stop, stops.slice(0, at))),
        [],
      );
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
