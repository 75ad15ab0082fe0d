import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { guide, settingsAndCommands } from '../../scripts/docs.ts';
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
  it('have a guide to settings and commands that says what the manifest says', () => {
    const made = settingsAndCommands(JSON.parse(text('package.json')), JSON.parse(text('package.nls.json')));
    assert.equal(text(guide), made, 'npm run docs makes it');
  });

  it('have a README of 600 to 700 words, and guides of 150 to 600', () => {
    const words = (name: string) => text(name).split(/\s+/).length;
    const guides = tracked.filter((name) => /^docs\/.*\.md$/.test(name) && name !== guide);
    assert.ok(guides.length >= 10);
    assert.deepEqual(
      [...guides, 'README.md'].filter((name) => {
        const [least, most] = name === 'README.md' ? [600, 700] : [150, 600];
        return words(name) < least || words(name) > most;
      }),
      [],
    );
  });

  it('link only to files and headings that exist', () => {
    const slug = (heading: string) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-');
    const headings = (name: string) => [...text(name).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading));
    const documents = tracked.filter((name) => /^(docs\/)?[\w-]+\.md$/.test(name));
    const dead = documents.flatMap((name) =>
      [...text(name).matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, path = '', anchor]) => {
        const file = path === '' ? name : posix.join(posix.dirname(name), path);
        const isThere = existsSync(join(root, file)) && (anchor === undefined || headings(file).includes(anchor));
        return isThere ? [] : [`${name}: ${link}`];
      }),
    );
    assert.deepEqual(dead, []);
  });

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
    const known = new Set([...Object.keys(scripts), 'ci', 'install', 'i', 'sbom']);
    const documents = tracked.filter((name) => /^(docs\/)?[\w-]+\.md$/.test(name) || name === '.ci/run');
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
