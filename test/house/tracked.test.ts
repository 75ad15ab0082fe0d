import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { root, text } from './sources.ts';

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((name) => name !== '' && !/\.(png|pdf|ttf|woff2?|ico)$/.test(name));

/** Lines of tracked files that match, as `file:line: text`. */
function linesWith(pattern: RegExp, names: readonly string[] = tracked): string[] {
  return names.flatMap((name) =>
    text(name)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${name}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
  );
}

describe('tracked files', () => {
  it('hold no path of one person’s machine', () => {
    const paths = new RegExp(`(^|[\\s'"\`(=:])/(${['tmp', 'root', 'home', 'work', 'Users'].join('|')})/`);
    assert.deepEqual(linesWith(paths), []);
  });

  it('hold no secret', () => {
    const secrets = [
      /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
      /\b(?:ghp|gho|npm|glpat)_[A-Za-z0-9]{30,}/,
      /\bAKIA[0-9A-Z]{16}\b/,
      /\b[a-z]+_live_[A-Za-z0-9]{24,}/,
    ];
    for (const secret of secrets) assert.deepEqual(linesWith(secret), []);
  });

  it('name no package registry: every machine uses its own', () => {
    const locks = tracked.filter((name) => /lock.*\.json$/.test(name));
    assert.ok(locks.length >= 6);
    assert.deepEqual(linesWith(/"resolved":/, locks), []);
    assert.deepEqual(
      linesWith(
        /^\s*(?:@[\w-]+:)?registry\s*=/,
        tracked.filter((name) => name.endsWith('.npmrc')),
      ),
      [],
    );
  });

  it('reach for nothing outside the repository', () => {
    const outside = new RegExp(`\\.\\./(?:\\.\\./)*${'shared'}/`);
    assert.deepEqual(
      linesWith(
        outside,
        tracked.filter((name) => !name.startsWith('src/') && !name.startsWith('test/')),
      ),
      [],
    );
  });
});

describe('the documents', () => {
  it('tell of every command that the palette offers, and of every setting with its default', () => {
    const { contributes } = JSON.parse(text('package.json')) as {
      readonly contributes: {
        readonly commands: readonly { readonly command: string; readonly title: string }[];
        readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
        readonly configuration: { readonly properties: Readonly<Record<string, { readonly default: unknown }>> };
      };
    };
    const words = JSON.parse(text('package.nls.json')) as Record<string, string>;
    const rows = text('README.md')
      .split('\n')
      .filter((line) => line.startsWith('| '));
    const hidden = contributes.menus.commandPalette.filter(({ when }) => when === 'false');
    const offered = contributes.commands.filter(({ command }) => !hidden.some((each) => each.command === command));
    const titles = offered.map(({ title }) => words[title.replaceAll('%', '')] ?? title);
    const told = rows.flatMap((row) => (row.split(' | ')[0] ?? '').slice(2).split(' · '));
    assert.deepEqual(
      titles.filter((title) => !told.includes(title)),
      [],
    );
    const lost = Object.entries(contributes.configuration.properties).filter(([key, property]) => {
      const value = String(
        property.default || property.default === false || property.default === 0 ? property.default : 'empty',
      );
      return !rows.some(
        (row) => row.startsWith(`| \`${key}\` | ${value} |`) || row.startsWith(`| \`${key}\` | \`${value}\` |`),
      );
    });
    assert.deepEqual(lost, []);
  });

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
    const known = new Set([...Object.keys(scripts), 'ci', 'install', 'i', 'sbom']);
    const documents = tracked.filter((name) => /^[A-Z]+\.md$/.test(name) || name === '.ci/run');
    const named = documents.flatMap((name) =>
      [...text(name).matchAll(/(?:^|`|=\d+ )npm (?:run )?([a-z][\w:-]*)/gm)].map((match) => match[1] ?? ''),
    );
    assert.ok(named.length > 3);
    assert.deepEqual(
      named.filter((script) => !known.has(script)),
      [],
    );
  });
});
