import assert from 'node:assert/strict';
import { find, text } from './sources.ts';

const maxLines = 400;
const lines = (name: string) => text(name).split('\n').length - 1;

/**
 * The most lines and files of each room: what it held when this was counted, with a few lines to spare. A change that
 * needs more raises its row by what the new thing is worth; what is deleted lowers it. A new room gets a row of its own.
 */
const ceilings: Readonly<Record<string, readonly [lines: number, files: number]>> = {
  'src/editor/': [21680, 146],
  'src/cli/': [1910, 21],
  'src/demo/': [3930, 37],
  'src/library/': [5390, 44],
  'src/api/': [4500, 28],
  'src/webview/': [7970, 48],
  'src/downloads/': [4010, 20],
  'src/protocol/': [3290, 21],
  'src/base/': [920, 14],
  'src/*.ts': [860, 5],
  'src/identifiers/': [560, 5],
  'src/text/': [4400, 26],
  'src/favourites/': [390, 2],
  'src/notebook/': [660, 4],
  'src/export/': [1330, 11],
  'src/citation/': [200, 1],
  'src/machine/': [780, 6],
  'src/evidence/': [1570, 8],
  'src/tools/': [1580, 19],
};

/** The folder under `src/` that a file lies in; those at the top count together. */
function roomOf(name: string): string {
  return /^src\/[^/]+\//.exec(name)?.[0] ?? 'src/*.ts';
}

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

  it('fill no room beyond what it may hold', async () => {
    const rooms = Map.groupBy(await find('src/**/*.ts'), roomOf);
    const over: string[] = [];
    for (const [room, names] of rooms) {
      const [maxRoomLines, maxFiles] = ceilings[room] ?? [0, 0];
      const total = names.reduce((sum, name) => sum + lines(name), 0);
      if (total > maxRoomLines) over.push(`${room}: ${total} lines, at most ${maxRoomLines}`);
      if (names.length > maxFiles) over.push(`${room}: ${names.length} files, at most ${maxFiles}`);
    }
    assert.deepEqual(over, []);
  });

  it('have a row only for rooms that there are', async () => {
    const rooms = new Set((await find('src/**/*.ts')).map(roomOf));
    assert.deepEqual(
      Object.keys(ceilings).filter((room) => !rooms.has(room)),
      [],
    );
  });
});
