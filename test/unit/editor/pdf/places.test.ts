import assert from 'node:assert/strict';
import { Places } from '../../../../src/editor/pdf/places.ts';
import { firstPlace } from '../../../../src/protocol/pdfPreview.ts';

class FakeMemory {
  stored: unknown;
  get<T>(): T | undefined {
    return this.stored as T | undefined;
  }
  async update(_key: string, value: unknown): Promise<void> {
    this.stored = structuredClone(value);
  }
}

describe('the memory for places in PDFs', () => {
  it('keeps one for each file, across windows', async () => {
    const memory = new FakeMemory();
    await new Places(memory).keep('file:///a.pdf', { page: 3, zoom: 1.5 });
    await new Places(memory).keep('file:///b.pdf', { page: 7, zoom: 'page-fit' });
    await new Places(memory).keep('file:///a.pdf', { page: 4, zoom: 1.5 });
    assert.deepEqual(new Places(memory).of('file:///a.pdf'), { page: 4, zoom: 1.5 });
    assert.deepEqual(new Places(memory).of('file:///b.pdf'), { page: 7, zoom: 'page-fit' });
    assert.deepEqual(new Places(memory).of('file:///c.pdf'), firstPlace);
  });

  it('forgets the file that was looked at longest ago', async () => {
    const memory = new FakeMemory();
    const places = new Places(memory);
    for (let n = 0; n < 201; n += 1) await places.keep(String(n), { page: 2, zoom: 'page-width' });
    assert.deepEqual(places.of('0'), firstPlace);
    assert.equal(places.of('1').page, 2);
    assert.equal((memory.stored as unknown[]).length, 200);
  });

  it('starts at the first page when what was kept can not be trusted', async () => {
    const memory = new FakeMemory();
    for (const stored of [7, {}, [['a', { page: -1, zoom: 1 }]], [['a', { page: 1, zoom: '9999' }]], [['a']], ['a']]) {
      memory.stored = stored;
      assert.deepEqual(new Places(memory).of('a'), firstPlace, JSON.stringify(stored));
    }
  });
});
