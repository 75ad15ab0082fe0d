import assert from 'node:assert/strict';
import { ScrollMap } from '../../../src/webview/common/scrollMap.ts';

const rowHeight = 26;
const height = 800;

/** A map over so many rows, and the highest that its scroll bar goes. */
function mapOf(rows: number) {
  const map = new ScrollMap(rowHeight);
  const body = map.count(rows);
  return { map, body, most: body + rowHeight - height, far: rows * rowHeight + rowHeight - height };
}

describe('where rows stand below one another', () => {
  it('is where the scroll bar says, as long as a browser has room for them', () => {
    const { map, body } = mapOf(5000);
    assert.equal(body, 130_000);
    assert.equal(map.topAt(64_000, height), 64_000);
    assert.equal(map.scrolledFor(64_000, height), 64_000);
    assert.equal(map.placeOf(40), 1040);
  });

  it('fits a million rows, and ten of them, into what a browser has room for at any zoom', () => {
    for (const rows of [1_000_000, 10_000_000]) assert.ok(mapOf(rows).body <= 33_554_431 / 8);
  });

  it('leads by the scroll bar from the first to the last of a million rows', () => {
    const { map, most, far } = mapOf(1_000_000);
    assert.equal(map.topAt(most, height), far);
    assert.equal(map.placeOf(999_999) + rowHeight, most - rowHeight + height);
    assert.equal(map.topAt(0, height), 0);
    assert.equal(map.placeOf(0), 0);
    const middle = map.topAt(most / 2, height);
    assert.ok(Math.abs(middle - far / 2) < 100);
    assert.ok(Math.abs(map.placeOf(Math.floor(middle / rowHeight)) - most / 2) <= rowHeight);
  });

  it('goes on px by px in small moves, and skips no row near an end', () => {
    const { map, most } = mapOf(1_000_000);
    const before = map.topAt(most / 2, height);
    assert.equal(map.topAt(most / 2 + 100, height), before + 100);
    assert.equal(map.topAt(most / 2 + 60, height), before + 60);
    for (const scrolled of [50_000, 40_000, 900, 120, 20, 0]) assert.equal(map.topAt(scrolled, height), scrolled);
  });

  it('comes to any row that a key leads to, and stands still when the scroll bar is set right', () => {
    const { map, most, far } = mapOf(1_000_000);
    for (const top of [0, 26, 99_999, 100_001, 5_000_000, 13_000_000, far - 100_001, far - 26, far]) {
      const scrolled = map.scrolledFor(top, height);
      assert.ok(scrolled >= 0 && scrolled <= most);
      assert.equal(map.topAt(scrolled, height), top);
      assert.equal(map.placeOf(Math.floor(top / rowHeight)) - scrolled, Math.floor(top / rowHeight) * rowHeight - top);
    }
  });
});
