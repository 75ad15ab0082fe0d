import assert from 'node:assert/strict';
import { match } from '../../../src/text/match.ts';

describe('A nearly true quote', () => {
  it('says exactly where it stands, what is around it, and how much of it is the same', () => {
    const page =
      'Our plants used 1 234 litres of water (12 % less than in 2022), so the board will not approve a new target for waste water before the next general meeting of the company.';
    const filler = (text: string) => `${text} `.repeat(6);
    const long = `${filler('All sites report their figures each month.')}${page} ${filler('No other event has to be reported here.').trim()}`;
    type Near = readonly [quote: string, text: string, share: number, ...differences: [quote: string, page: string][]];
    const near: readonly Near[] = [
      ['Our plants used 1 234 litres of water (12', 'Our plants used 1 234 litres of water (12 %', 100, ['12', '12 %']],
      ['lants used 1 234 litres of water', 'plants used 1 234 litres of water', 96, ['lants', 'plants']],
      ['234 litres of water (12 % less', '1 234 litres of water (12 % less', 95, ['234', '1 234']],
      [
        'the board will approve a new target for waste water before the general meeting',
        'the board will not approve a new target for waste water before the next general meeting',
        90,
        ['', 'not'],
        ['', 'next'],
      ],
      [
        'Her plants used 1 234 litres of water (12 % less than in 2022), so the boards will not approve a new target',
        'Our plants used 1 234 litres of water (12 % less than in 2022), so the board will not approve a new target',
        88,
        ['Her', 'Our'],
        ['boards', 'board'],
      ],
    ];
    for (const whole of [page, long])
      for (const [quote, text, share, ...differences] of near) {
        const at = whole.indexOf(text);
        const around = whole.slice(Math.max(0, at - 80), at + text.length + 80);
        const listed = differences.map(([quote, page]) => ({ quote, page }));
        assert.deepEqual(match(whole, quote), { verdict: 'nearly', text, around, share, differences: listed });
      }
    const verbatim = { verdict: 'verbatim', text: 'used 1 234 litres', around: page.slice(0, 108) };
    assert.deepEqual(match(page, 'used 1 234 litres'), verbatim);
    for (const quote of ['used 1 235 litre', 'Her plants use 1 234 liters of waters (11 % less then in 2022)'])
      assert.equal(match(long, quote).verdict, 'no', quote);
  });
});
