import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Pointer, readPointer, WindowPointer, writeWhole } from '../../../src/tools/pointer.ts';
import { temporaryDirectory } from '../library/support/stores.ts';

describe('the pointer of several windows', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let file: string;
  beforeEach(() => {
    folder = temporaryDirectory();
    file = join(folder.path, 'tools', 'pointer.json');
  });
  afterEach(() => folder.remove());

  const to = (library: string, root = '/w'): Pointer => ({
    ...{ version: 1, library, text: '/text.sqlite' },
    folders: [{ root, folder: 'reports' }],
  });
  const leadsTo = () => readPointer(file)?.library;

  it('leads where the window that was used last leads, for this user alone', () => {
    const [one, other] = [new WindowPointer(file), new WindowPointer(file)];
    one.lead(to('/one'), 'used');
    other.lead(to('/other'), 'used');
    assert.equal(leadsTo(), '/other');
    one.lead(to('/one'), 'used');
    assert.equal(leadsTo(), '/one');
    assert.deepEqual(readdirSync(dirname(file)), ['pointer.json']);
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('is written whole or not at all, as is whatever lies beside it', () => {
    writeWhole(file, 'one');
    const read = readdirSync(dirname(file));
    writeWhole(file, 'two');
    assert.deepEqual([readFileSync(file, 'utf8'), readdirSync(dirname(file))], ['two', read]);
    mkdirSync(join(dirname(file), 'taken'));
    assert.throws(() => writeWhole(join(dirname(file), 'taken'), 'three'));
    assert.deepEqual(readdirSync(dirname(file)), ['pointer.json', 'taken']);
  });

  it('is left alone by a window in the background whose connection or folders change', () => {
    const [front, back] = [new WindowPointer(file), new WindowPointer(file)];
    back.lead(to('/same', '/back'), 'used');
    front.lead(to('/same', '/front'), 'used');
    back.lead(to('/same', '/back2'), 'changed');
    back.lead(to('/third', '/back'), 'changed');
    assert.deepEqual(readPointer(file), to('/same', '/front'));
  });

  it('is filled in by a window in the background where there is none', () => {
    new WindowPointer(file).lead(to('/one'), 'changed');
    assert.equal(leadsTo(), '/one');
  });

  it('is gone before a window leads elsewhere, and only where it was its own', () => {
    const [one, other] = [new WindowPointer(file), new WindowPointer(file)];
    one.lead(to('/one'), 'used');
    one.leave();
    assert.equal(existsSync(file), false);
    one.lead(to('/one'), 'used');
    other.lead(to('/other'), 'used');
    one.leave();
    assert.equal(leadsTo(), '/other');
  });

  it('is gone with a sign-out in any window', () => {
    const [one, other] = [new WindowPointer(file), new WindowPointer(file)];
    one.lead(to('/one'), 'used');
    other.clear();
    assert.equal(existsSync(file), false);
  });
});
