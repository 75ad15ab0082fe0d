import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { find, root, text } from './sources.ts';

const kinds = ['unit', 'service', 'house', 'browser', 'long'];

describe('tests', () => {
  it('lie where a pattern collects them', async () => {
    const all = await find('**/*.test.{ts,js,mjs}').then((names) =>
      names.filter((name) => !/^(node_modules|out|dist|\.vscode-test)\//.test(name)),
    );
    const collected = await find(...kinds.map((kind) => `test/${kind}/**/*.test.ts`), 'test/editor/*/**/*.test.ts');
    assert.ok(collected.length > 10);
    assert.deepEqual(all, collected);
  });

  it('that need an editor have a workspace for their label', async () => {
    const labels = new Set((await find('test/editor/*/**/*.test.ts')).map((name) => name.split('/')[2] ?? ''));
    assert.ok(labels.size > 0);
    const homeless = [...labels].filter((label) => {
      const place = join(root, 'test', 'workspaces', label);
      return !existsSync(place) && !existsSync(`${place}.run.json`);
    });
    assert.deepEqual(homeless, []);
  });

  it('have files named *.test.ts, so that none is left out by its name', async () => {
    const suites = await find('test/**/*.ts').then((names) =>
      names.filter((name) => /^(describe|it)\(/m.test(text(name)) && !name.endsWith('.test.ts')),
    );
    const shared = suites.filter((name) => !name.startsWith('test/support/'));
    assert.deepEqual(shared, []);
  });

  it('all run: none is left exclusive', async () => {
    const exclusive = (await find('test/**/*.test.ts')).filter((name) => /\b(?:describe|it)\.only\(/.test(text(name)));
    assert.deepEqual(exclusive, []);
  });
});
