import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { isIn, roomOf } from './rooms.ts';
import { find, type Import, importsOf, root, text } from './sources.ts';

const sources = await find('src/**/*.ts');
const imports = sources.flatMap(importsOf);
const show = ({ from, specifier }: Import) => `${from} imports ${specifier}`;

describe('imports', () => {
  it('are all seen by these tests', () => {
    const missed = sources.filter((name) => {
      const written = text(name).match(/^(?:\} from|import\b(?!\()|export\b.*\bfrom) ?.*'[^']+';$/gm) ?? [];
      const seen = importsOf(name).filter(({ specifier }) => written.some((line) => line.includes(`'${specifier}'`)));
      return seen.length < written.length;
    });
    assert.deepEqual(missed, []);
    assert.ok(imports.length > sources.length);
  });

  it('name files that exist', () => {
    const lost = imports.filter(({ file }) => file !== undefined && !existsSync(join(root, file)));
    assert.deepEqual(lost.map(show), []);
  });

  it('give every file a room', () => {
    assert.deepEqual(
      sources.filter((name) => roomOf(name) === undefined),
      [],
    );
  });

  it('go only where the house lets them', () => {
    const wrong = imports.filter(({ from, file }) => {
      const room = roomOf(from);
      if (file === undefined || room === undefined) return false;
      return ![room.place, ...room.may].some((place) => isIn(file, place));
    });
    assert.deepEqual(wrong.map(show), []);
  });

  it('bring `vscode` only into src/editor/ and src/extension.ts', () => {
    const wrong = imports.filter(({ from, specifier }) => specifier === 'vscode' && !roomOf(from)?.editor);
    assert.deepEqual(wrong.map(show), []);
  });

  it('bring Node’s modules only where Node runs', () => {
    const isNodes = (specifier: string) => specifier.startsWith('node:') || builtinModules.includes(specifier);
    const wrong = imports.filter(({ from, specifier, typeOnly }) => {
      return isNodes(specifier) && !typeOnly && !roomOf(from)?.node && !roomOf(from)?.editor;
    });
    assert.deepEqual(wrong.map(show), []);
  });

  it('load the demo service only when it is asked for', () => {
    const demo = imports.filter(({ file }) => file !== undefined && isIn(file, 'src/demo/'));
    const early = demo.filter(({ from, typeOnly }) => !isIn(from, 'src/demo/') && !typeOnly);
    const dynamic = early.filter(({ from, specifier }) => !text(from).includes(`import('${specifier}')`));
    assert.deepEqual(dynamic.map(show), []);
  });

  it('form no circle, those of types and those loaded when needed counted', () => {
    assert.deepEqual(circlesOf(imports), []);
  });
});

/** Each circle that the imports form, as the files on its way. */
function circlesOf(counted: readonly Import[]): string[] {
  const edges = new Map<string, string[]>();
  for (const { from, file } of counted) {
    if (file !== undefined) edges.set(from, [...(edges.get(from) ?? []), file]);
  }
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (name: string, path: readonly string[]) => {
    if (path.includes(name)) {
      circles.push([...path.slice(path.indexOf(name)), name].join(' -> '));
      return;
    }
    if (done.has(name)) return;
    for (const next of edges.get(name) ?? []) walk(next, [...path, name]);
    done.add(name);
  };
  for (const name of edges.keys()) walk(name, []);
  return circles;
}
