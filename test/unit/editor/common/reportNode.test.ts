import assert from 'node:assert/strict';
import { shortName } from '../../../../src/editor/common/reportNode.ts';

describe('a name in a row', () => {
  it('stays whole however narrow a sidebar may be', () => {
    for (const name of ['Larkspur Ridge Foods, Inc.', 'Altenbruch Maschinenbau- und Anlagentechnik Aktiengesellschaft'])
      assert.equal(shortName(name), name);
  });

  it('ends with a whole word where a wide sidebar would have no room beside it', () => {
    assert.equal(
      shortName('Altenbruch Maschinenbau- und Anlagentechnik für Hafenbetriebe & Werften Aktiengesellschaft'),
      'Altenbruch Maschinenbau- und Anlagentechnik für Hafenbetriebe & Werften…',
    );
    assert.equal(shortName('x'.repeat(200)), `${'x'.repeat(79)}…`);
  });

  it('counts characters of Chinese, Japanese and Korean as two', () => {
    assert.equal(shortName('朝'.repeat(40)), '朝'.repeat(40));
    assert.equal(shortName('朝'.repeat(41)), `${'朝'.repeat(39)}…`);
  });
});
