import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { ConnectionNews, type News } from '../../../src/editor/signin/connectionNews.ts';
import type { Active } from '../../../src/editor/signin/connectionStore.ts';

const one: Active = { kind: 'stored', id: 'one', name: 'One' };

describe('what windows tell each other of connections', () => {
  let folder: string;
  let file: string;
  let windows: ConnectionNews[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'report-library-news-'));
    file = join(folder, 'machine', 'connections.json');
    windows = [new ConnectionNews(file, silentLogger), new ConnectionNews(file, silentLogger)];
    for (const window of windows) await window.listen();
  });

  afterEach(async () => {
    for (const window of windows) window.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const next = (window: ConnectionNews | undefined) =>
    new Promise<News>((resolve) => {
      const subscription = window?.onDidHear((news) => {
        subscription?.dispose();
        resolve(news);
      });
    });

  it('arrives in the others, and not in the one that told it', async () => {
    const [a, b] = windows;
    const own: News[] = [];
    a?.onDidHear((news) => own.push(news));
    const heard = next(b);
    await a?.tell(one);
    assert.deepEqual(await heard, { active: one, removed: [] });
    const answered = next(a);
    await b?.tell({ kind: 'none' }, 'one');
    assert.deepEqual(await answered, { active: { kind: 'none' }, removed: ['one'] });
    assert.equal(own.length, 1);
  });

  it('names the connections that were removed, whoever removed them', async () => {
    const [a, b] = windows;
    const first = next(b);
    await a?.tell(one, 'two');
    await first;
    const second = next(a);
    await b?.tell({ kind: 'demo' }, 'three');
    assert.deepEqual(await second, { active: { kind: 'demo' }, removed: ['two', 'three'] });
  });

  it('is only for this user’s eyes, and holds names and ids alone', async () => {
    await windows[0]?.tell(one, 'two');
    const told = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    assert.deepEqual(Object.keys(told).sort(), ['active', 'by', 'removed', 'stamp', 'version']);
  });

  it('is not taken from a file that nobody of us wrote', async () => {
    const [a, b] = windows;
    let heard = 0;
    b?.onDidHear(() => {
      heard += 1;
    });
    for (const text of ['', '[]', '{"version":1,"active":{"kind":"else"},"stamp":"x","by":"y"}'])
      await writeFile(file, text);
    const right = next(b);
    await a?.tell(one);
    assert.deepEqual((await right).active, one);
    assert.equal(heard, 1);
  });
});
