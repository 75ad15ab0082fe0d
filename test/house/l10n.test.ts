import assert from 'node:assert/strict';
import { find, text } from './sources.ts';

type Words = Readonly<Record<string, string>>;

const call = /\bl10n\.(?:t|later)\(\s*/g;
const literal = /(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`)(?=\s*[,)])/y;
const escapes: Words = { n: '\n', t: '\t', r: '\r' };

/** The string that a literal stands for. */
function stringOf(written: string): string {
  return written
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, char: string) =>
      code === undefined ? (escapes[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
    );
}

/** What a source asks the bundles for, and the places that ask with something else than one plain literal. */
function asked(source: string): { readonly strings: string[]; readonly unreadable: string[] } {
  const strings: string[] = [];
  const unreadable: string[] = [];
  for (const match of source.matchAll(call)) {
    literal.lastIndex = match.index + match[0].length;
    const written = literal.exec(source)?.[0];
    if (written === undefined) unreadable.push(source.slice(match.index, match.index + 60));
    else strings.push(stringOf(written));
  }
  return { strings, unreadable };
}

const sorted = (words: Iterable<string>) => [...words].sort();
const placeholders = (words: string) => sorted(new Set(words.match(/\{\d+\}/g)));
const icons = (words: string) => sorted(words.match(/\$\([\w~-]+\)|`[^`]*`/g) ?? []);
/** What a translation of the manifest must leave as it is: commands of links, and code. */
const fixed = (words: string) => sorted(words.match(/\]\(command:[\w.]+\)|`[^`]+`/g) ?? []);

const sources = (await find('src/**/*.ts')).map((name) => ({ name, ...asked(text(name)) }));
const strings = new Set(sources.flatMap(({ strings }) => strings));
const bundles = (await find('l10n/bundle.l10n.*.json')).map((name) => ({
  name,
  words: JSON.parse(text(name)) as Words,
}));
const manifest = JSON.parse(text('package.nls.json')) as Words;

describe('translations', () => {
  it('are read from literals of each kind', () => {
    const source = [
      "l10n.t('It’s {0}', a); l10n.t(",
      '  "it\'s", b); l10n.t(`x\\n`)',
      "l10n.t('a' + b); l10n.t(words); l10n.t(`$" + '{a}`)',
    ].join('\n');
    const found = asked(source);
    assert.deepEqual(found.strings, ['It’s {0}', "it's", 'x\n']);
    assert.equal(found.unreadable.length, 3);
  });

  it('are asked for with one literal each', () => {
    assert.deepEqual(
      sources.flatMap(({ name, unreadable }) => unreadable.map((place) => `${name}: ${place}`)),
      [],
    );
    assert.ok(strings.size > 0);
  });

  it('cost the start nothing: the entry has no words of its own', () => {
    const early = sources.filter(
      ({ name, strings }) => /^src\/(extension\.ts|app\/(?!session))/.test(name) && strings.length,
    );
    assert.deepEqual(
      early.map(({ name }) => name),
      [],
    );
  });

  it('exist', () =>
    assert.deepEqual(
      bundles.map(({ name }) => name),
      ['l10n/bundle.l10n.de.json'],
    ));

  for (const { name, words } of bundles) {
    it(`have every string of the sources and no other: ${name}`, () => {
      assert.deepEqual(sorted(Object.keys(words)), sorted(strings));
    });

    it(`keep placeholders, icons and code: ${name}`, () => {
      const differ = Object.entries(words).filter(
        ([english, translated]) =>
          translated === '' ||
          placeholders(english).join() !== placeholders(translated).join() ||
          icons(english).join() !== icons(translated).join(),
      );
      assert.deepEqual(differ, []);
    });
  }

  it('keep the links and the code of the manifest', async () => {
    for (const name of await find('package.nls.*.json')) {
      const words = JSON.parse(text(name)) as Words;
      const differ = Object.entries(manifest).filter(
        ([key, english]) => fixed(english).join() !== fixed(words[key] ?? '').join(),
      );
      assert.deepEqual(differ, [], name);
    }
  });
});
