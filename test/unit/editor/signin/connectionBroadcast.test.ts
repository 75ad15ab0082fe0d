import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../../src/base/logger.ts';
import { ConnectionBroadcast, type ConnectionMessage } from '../../../../src/editor/signin/connectionBroadcast.ts';
import type { Active } from '../../../../src/editor/signin/connectionStore.ts';

const one: Active = { kind: 'stored', id: 'one', name: 'One' };

describe('what windows tell each other of connections', () => {
  let folder: string;
  let file: string;
  let windows: ConnectionBroadcast[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'report-library-message-'));
    file = join(folder, 'machine', 'connections.json');
    windows = [new ConnectionBroadcast(file, silentLogger), new ConnectionBroadcast(file, silentLogger)];
    for (const window of windows) await window.listen();
  });

  afterEach(async () => {
    for (const window of windows) window.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const next = (window: ConnectionBroadcast | undefined) =>
    new Promise<ConnectionMessage>((resolve) => {
      const subscription = window?.onDidReceive((message) => {
        subscription?.dispose();
        resolve(message);
      });
    });

  it('arrives in the others, and not in the one that told it', async () => {
    const [a, b] = windows;
    const own: ConnectionMessage[] = [];
    a?.onDidReceive((message) => own.push(message));
    const heard = next(b);
    await a?.send(one);
    assert.deepEqual(await heard, { active: one, removed: [] });
    const answered = next(a);
    await b?.send({ kind: 'none' }, 'one');
    assert.deepEqual(await answered, { active: { kind: 'none' }, removed: ['one'] });
    assert.equal(own.length, 1);
  });

  it('names the connections that were removed, whoever removed them', async () => {
    const [a, b] = windows;
    const first = next(b);
    await a?.send(one, 'two');
    await first;
    const second = next(a);
    await b?.send({ kind: 'demo' }, 'three');
    assert.deepEqual(await second, { active: { kind: 'demo' }, removed: ['two', 'three'] });
  });

  it('is only for this user’s eyes, and holds names and ids alone', async () => {
    // Whatever else comes with it: a whole connection has a key.
    await windows[0]?.send({ ...one, key: 'abc_live_0123456789abcdef' } as Active, 'two');
    const told = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    assert.deepEqual(told.active, one);
    assert.deepEqual(Object.keys(told).sort(), ['active', 'by', 'removed', 'stamp', 'version']);
  });

  it('is not taken from a file that nobody of us wrote', async () => {
    const [a, b] = windows;
    let heard = 0;
    b?.onDidReceive(() => {
      heard += 1;
    });
    for (const text of ['', '[]', '{"version":1,"active":{"kind":"else"},"stamp":"x","by":"y"}'])
      await writeFile(file, text);
    const right = next(b);
    await a?.send(one);
    assert.deepEqual((await right).active, one);
    assert.equal(heard, 1);
  });
});
