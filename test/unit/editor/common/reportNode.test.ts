import assert from 'node:assert/strict';
import { nameBeside } from '../../../../src/editor/common/reportNode.ts';

describe('a name beside a count', () => {
  it('stays whole where both fit', () => {
    assert.equal(nameBeside('Larkspur Ridge Foods, Inc.', '41'), 'Larkspur Ridge Foods, Inc.');
  });

  it('ends with a whole word, and leaves room for the count', () => {
    assert.equal(nameBeside('Altenbruch Maschinenbau- und Anlagentechnik AG', '1/40'), 'Altenbruch Maschinenbau…');
    assert.equal(nameBeside('Burrawang Rail & Freight Limited', '28'), 'Burrawang Rail & Freight…');
    for (const beside of ['7', '12/345', '1,234,567 companies'])
      assert.ok(nameBeside('A very long name of a company indeed', beside).length + 1 + beside.length <= 32);
  });

  it('gives way more the deeper its row is, but never wholly', () => {
    const name = 'Quillmark Systems Corp of NY';
    assert.equal(nameBeside(name, '35'), name);
    assert.equal(nameBeside(name, '35', 1), 'Quillmark Systems Corp of…');
    assert.equal(nameBeside('Donaudampfschifffahrtsgesellschaft', 'x'.repeat(40)), 'Donaudampfs…');
  });

  it('counts characters of Chinese, Japanese and Korean as two', () => {
    assert.equal(nameBeside('朝霧平化学工業株式会社東京本社総合研究所', '12'), '朝霧平化学工業株式会社東京…');
  });
});
