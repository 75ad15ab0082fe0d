import assert from 'node:assert/strict';
import fc from 'fast-check';
import de from '../../../src/demo/data/words.de.json' with { type: 'json' };
import en from '../../../src/demo/data/words.en.json' with { type: 'json' };
import fr from '../../../src/demo/data/words.fr.json' with { type: 'json' };
import { match } from '../../../src/text/match.ts';
import { normalForm } from '../../../src/text/normalForm.ts';

/** Numbers from 0 to below `max`, always the same ones. */
function draws(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

const numbers = ['1,234', '56.7', '–5.5', '2,769,825', '12', '89', '2023', '0.4'];

/** Pages of the demo's text in three languages, a page a part, with numbers where the text has places for them. */
const pages = [en, de, fr].flatMap(({ sections, emissions, workforce }, language) => {
  const draw = draws(language + 1);
  const table = [...emissions.rows, ...workforce.rows].map((row) => `${row} ${numbers[draw(8)]} ${numbers[draw(8)]}`);
  return Object.values(sections).map(({ heading, paragraphs }) => {
    const text = paragraphs.join(' ').replace(/\{\w+\}/g, () => numbers[draw(8)] ?? '');
    return normalForm(`${heading} ${text} ${table.join(' ')}`);
  });
});

const pick = <T>(list: readonly T[], draw: (max: number) => number) => list[draw(list.length)] as T;

/** A stretch of a page in whole words, and a page. */
function stretch(draw: (max: number) => number) {
  const page = pick(pages, draw);
  const words = page.split(' ');
  const length = 8 + draw(50);
  const from = draw(Math.max(1, words.length - length));
  return { page, words: words.slice(from, from + length) };
}

/** As people and programs copy text: other blanks, quotation marks, dashes and ligatures. */
const copies: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll(' ', '\n'),
  (text) => text.replaceAll(' ', '  '),
  (text) => `“${text.replaceAll("'", '’')}”`.slice(1, -1),
  (text) => text.replaceAll('’', "'").replaceAll('–', '-'),
  (text) => text.replaceAll('fi', 'ﬁ').replaceAll(' ', '\u00a0'),
  (text) => text.replace(/(\p{Ll}{4})(\p{Ll}{4})/u, '$1-\n$2'),
];

const changes: readonly ((words: string[], draw: (max: number) => number) => string[] | null)[] = [
  (words, draw) => {
    const at = words.findIndex((word) => /\d/.test(word));
    return at === -1
      ? null
      : words.with(
          at,
          (words[at] ?? '').replace(/\d/, (digit) => String((Number(digit) + 1 + draw(8)) % 10)),
        );
  },
  (words, draw) => words.toSpliced(1 + draw(words.length - 2), 0, 'not'),
  (words, draw) => words.with(draw(words.length), 'hovercraft'),
  (words, draw) => words.toSpliced(1 + draw(words.length - 2), 1),
];

const things = [
  'Our drones',
  'The bakery in Lisbon',
  'Three former astronauts',
  'Emissions of methane',
  'Die Imkerei',
  'La fromagerie',
];
const doings = [
  'fell by 41.7 per cent',
  'opened a second harbour',
  'will be sold in spring',
  'wurde 1987 geschlossen',
  'a doublé',
];
const ends = [
  'because the river froze.',
  'after a vote of the shareholders.',
  'as the mayor had asked.',
  'trotz des Regens.',
  'malgré tout.',
];

describe('Checking a quote', () => {
  it('finds 200 true quotes of 200 however they were copied', () => {
    const draw = draws(7);
    for (let count = 0; count < 200; count += 1) {
      const { page, words } = stretch(draw);
      const quote = pick(copies, draw)(words.join(' '));
      const checked = match(page, quote);
      assert.equal(checked.verdict, 'verbatim', `${quote}\n${JSON.stringify(checked)}`);
      assert.ok(checked.verdict === 'verbatim' && page.includes(checked.text) && checked.around.includes(checked.text));
    }
  });

  it('calls none of 150 changed quotes verbatim, and says what stands there instead', () => {
    const draw = draws(8);
    let near = 0;
    for (let count = 0; count < 150; ) {
      const { page, words } = stretch(draw);
      const changed = pick(changes, draw)(words, draw);
      if (changed === null || page.includes(changed.join(' '))) continue;
      count += 1;
      const checked = match(page, changed.join(' '));
      assert.notEqual(checked.verdict, 'verbatim', changed.join(' '));
      if (checked.verdict !== 'nearly') continue;
      near += 1;
      assert.ok(page.includes(checked.text));
      assert.ok(checked.share >= 85 && checked.share <= 100);
      assert.ok(checked.differences.length > 0, changed.join(' '));
    }
    assert.ok(near > 100, `${near}`);
  });

  it('finds none of 150 invented quotes', () => {
    const draw = draws(9);
    for (let count = 0; count < 150; count += 1) {
      const { page, words } = stretch(draw);
      const shuffled = words.map((word) => ({ word, at: draw(1000) })).sort((a, b) => a.at - b.at);
      const quote = pick(
        [
          `${pick(things, draw)} ${pick(doings, draw)} ${pick(ends, draw)}`,
          shuffled.map(({ word }) => word).join(' '),
          // The beginning of a true sentence, with another end.
          `${words.slice(0, 4).join(' ')} ${pick(doings, draw)} ${pick(ends, draw)}`,
        ],
        draw,
      );
      assert.equal(match(page, quote).verdict, 'no', quote);
    }
  });

  it('tells what differs by what was said and what stands there', () => {
    const page = 'In 2023 direct emissions fell to 1,234 tonnes, and the board did not approve a new target for waste.';
    const checked = match(page, 'direct emissions fell to 1,235 tonnes, and the board did approve a new target');
    assert.ok(checked.verdict === 'nearly');
    assert.deepEqual(checked.differences, [
      { quote: '1,235', page: '1,234' },
      { quote: '', page: 'not' },
    ]);
    assert.equal(checked.text, 'direct emissions fell to 1,234 tonnes, and the board did not approve a new target');
  });

  it('takes no number that is cut short, or lacks its sign or unit, or has its footnote in it, for the whole', () => {
    const cut: readonly (readonly [page: string, quote: string])[] = [
      ['Revenue was EUR 125 million.', 'Revenue was EUR 12'],
      ['Revenue was EUR 12,500 in all.', 'Revenue was EUR 12'],
      ['The result was –5.5 in 2023.', '5.5 in 2023'],
      ['Women: 36 % of managers.', 'Women: 36'],
      ['Water: 1 234 567 litres.', 'Water: 1'],
      ['Water: 1 234 567 litres.', '567 litres'],
      ['Sites: 100¹ in all.', 'Sites: 1001'],
      ['A notable result.', 'not'],
      ['They were not able to pay.', 'They were notable to pay.'],
    ];
    const without: readonly (readonly [page: string, quote: string])[] = [
      ['Revenue rose to 5.2 billion.', 'Revenue rose to 5.2'],
      ['Der Umsatz betrug 1.234,5 Mio. €.', '1.234,5'],
      ['Das Ergebnis: 3 Mrd. €', '3'],
      ['Les ventes : 12 milliards d’euros', '12'],
      ['Ingresos de 7 millones, y 5 mil clientes', '5'],
      ['Women: 12–15 % of managers', '12'],
      ['Women: 12–15 % of managers', '15 %'],
      ['Women: 12 – 15 % of managers', '12'],
      ['Veränderung: − 12,3 %', '12,3 %'],
      ['Recycled: > 50 %', '50 %'],
      ['Recycled: ≥ 50 %', '50 %'],
    ];
    for (const [page, quote] of without) assert.notEqual(match(normalForm(page), quote).verdict, 'verbatim', page);
    const whole = ['5.2 billion', '1.234,5 Mio. €', '12–15 %', '− 12,3 %', '> 50 %', '12 –5.5', '12'];
    for (const text of whole) assert.equal(match(normalForm(`${text} in all`), text).verdict, 'verbatim', text);
    // Cells of a table: the second one has the sign.
    assert.equal(match('Change 12 –5.5 7', 'Change 12').verdict, 'verbatim');
    const near = match('The water withdrawn was 1 234 litres.', 'The water withdrawn was 1');
    assert.deepEqual(near.verdict === 'nearly' && near.differences, [{ quote: '1', page: '1 234' }]);
    for (const [page, quote] of cut) assert.notEqual(match(normalForm(page), quote).verdict, 'verbatim', quote);
    assert.equal(match(normalForm('Sites: 100¹ in all.'), 'Sites: 100¹ in all').verdict, 'verbatim');
    assert.equal(match('Women: 36 % of managers.', '36 %').verdict, 'verbatim');
    assert.equal(match('環境報告書を公表しました。', '報告書を公表').verdict, 'verbatim');
  });

  it('is not led by dots that lead to a number', () => {
    const dots = '. '.repeat(200);
    const page = `Contents Waste ${dots} 12 Water ${dots} 14`;
    assert.equal(match(page, `Profit ${dots} 12`).verdict, 'no');
    assert.equal(match(page, `Gains ${dots} 12 Water ${dots} 14`).verdict, 'no');
  });

  it('finds a quote that begins anew within what looked like its beginning', () => {
    const page = 'We plan and we plan and we plan and we act on one two one two one two three.';
    for (const quote of ['we plan and we plan and we act', 'we plan and we act', 'one two one two three']) {
      assert.equal(match(page, quote).verdict, 'verbatim', quote);
    }
    assert.equal(match(page, 'one two two', 'verbatim').verdict, 'no');
  });

  it('takes no longer for a long quote that a page nearly has everywhere', () => {
    const page = 'a '.repeat(40_000);
    const timeOf = (words: number) => {
      const begun = performance.now();
      assert.equal(match(page, `${'a '.repeat(words)}b`, 'verbatim').verdict, 'no');
      return performance.now() - begun;
    };
    const least = (words: number) => Math.min(...[1, 2, 3, 4].map(() => timeOf(words)));
    assert.ok(least(599) < 2 * least(2) + 10);
  });

  it('finds nothing in nothing, takes any text, and ends soon on long ones', () => {
    for (const quote of ['', ' ', '.', '\ud800', '“”', 'a '.repeat(2000)]) {
      assert.equal(match('The board met. Twice.', quote).verdict, 'no', quote);
    }
    assert.equal(match('', 'The board met twice in all.').verdict, 'no');
    const begun = performance.now();
    match('the same words '.repeat(10_000), `${'the same words '.repeat(190)} other`);
    assert.ok(performance.now() - begun < 5000);
  });
});

describe('A quote made of a page', () => {
  const words = fc.constantFrom(
    ...'We the energy CO2 m³ emissions¹ long-term sites, (see below) „Ziel“ Größe d’eau 温室効果 ガス ความยั่งยืน 온실'.split(
      ' ',
    ),
    ...['1,234', '12.5²', '−5.5', '(7)', '12 %', '7,4 miljoen', '3–4', '€5m', 'of', 'and.', 're-sign', 'A/B'],
  );
  const texts = fc.array(words, { minLength: 6, maxLength: 60 });

  it('is found there, exactly, whatever stretch of whole words it is', () => {
    const stretches = texts.chain((parts) =>
      fc.tuple(fc.constant(parts), fc.nat(parts.length - 1), fc.integer({ min: 1, max: parts.length })),
    );
    fc.assert(
      fc.property(stretches, ([parts, from, length]) => {
        const page = normalForm(parts.map((part) => `${part} so`).join(' '));
        const quote = parts.slice(from, from + length).map((part) => `${part} so`);
        const checked = match(page, quote.join(' '));
        assert.ok(checked.verdict === 'verbatim', `${quote.join(' ')}\n${JSON.stringify(checked)}`);
        assert.equal(checked.text, normalForm(quote.join(' ')));
      }),
      { numRuns: 500 },
    );
  });

  it('is not verbatim with another digit, sign, scale or order of words', () => {
    const lead = 'In the year the revenue of the group was EUR';
    const amounts = fc.record({
      whole: fc.integer({ min: 1, max: 999 }),
      decimals: fc.integer({ min: 0, max: 9 }),
      sign: fc.constantFrom('', '−', '-', '+', '±'),
      scale: fc.constantFrom(
        '',
        'million',
        'Mio.',
        'miljoen',
        'miljarder',
        'milhões',
        'mln',
        'crore',
        '億円',
        '억원',
        '%',
      ),
    });
    const printed = ({
      whole,
      decimals,
      sign,
      scale,
    }: {
      whole: number;
      decimals: number;
      sign: string;
      scale: string;
    }) => `${sign}${whole}.${decimals}${scale === '' ? '' : ` ${scale}`}`;
    const alike = (text: string) => normalForm(text).replaceAll('−', '-').replaceAll(' ', '');
    fc.assert(
      fc.property(amounts, amounts, (one, two) => {
        const page = normalForm(`${lead} ${printed(one)} for all of it.`);
        assert.equal(match(page, `${lead} ${printed(one)}`).verdict, 'verbatim');
        for (const other of [
          { ...one, whole: two.whole },
          { ...one, decimals: two.decimals },
          { ...one, sign: two.sign },
          { ...one, scale: two.scale },
        ]) {
          if (alike(printed(other)) === alike(printed(one))) continue;
          assert.notEqual(match(page, `${lead} ${printed(other)}`).verdict, 'verbatim', `${page}\n${printed(other)}`);
          assert.notEqual(match(page, printed(other)).verdict, 'verbatim', `${page}\n${printed(other)}`);
        }
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...'our plant saved more water than any other of them all'.split(' ')), {
          minLength: 4,
        }),
        fc.nat(),
        (list, at) => {
          const index = at % (list.length - 1);
          const swapped = list.with(index, list[index + 1] ?? '').with(index + 1, list[index] ?? '');
          assert.notEqual(match(`So ${list.join(' ')}.`, swapped.join(' ')).verdict, 'verbatim');
        },
      ),
    );
  });
});

describe('A number in a quote', () => {
  it('is its scale, percent word, unit and sign, too', () => {
    const more =
      'million|billion|percent|per cent|lakh|crore|bn|m|Millionen|Milliarden|Mio.|Mrd.|Prozent|Prozentpunkte|T€|TEUR|millions|milliards|Md€|Mds|k€|pour cent|millones|mil millones|por ciento|milioni|miliardi|per cento|miljoen|miljard|mln|procent|miljoner|miljarder|Mkr|tkr|MSEK|mio.|mia.|millioner|milliarder|prosent|miljoonaa|miljoonan euron|miljardia|milj.|prosenttia|milhões|bilhões|por cento|tysięcy|milionów|mld|億円|千円|百万円|兆円|万|パーセント|亿元|万吨|억|만|조|억원|퍼센트|करोड़|%|‰|€|-'.split(
        '|',
      );
    for (const one of more) {
      for (const gap of /^[-\p{sc=Han}]/u.test(one) ? [''] : ['', ' ']) {
        const page = normalForm(`Net income was 7,4${gap}${one} at the end of the year.`);
        assert.notEqual(match(page, 'Net income was 7,4').verdict, 'verbatim', page);
        assert.equal(match(page, `Net income was 7,4${gap}${one}`).verdict, 'verbatim', page);
      }
    }
    for (const [page, quote] of [
      ['It was 5 mil millones', 'It was 5 mil'],
      ['売上は5百万円', '売上は5百'],
      ['It was 7,4 mia.kr. then', '7,4'],
      ['It was 7,4 MUSD then', '7,4'],
      ['占百分之12的', '12的'],
    ] as const)
      assert.notEqual(match(page, quote).verdict, 'verbatim', page);
    for (const page of ['It was (1.234,56) then', 'It was 1.234,56- then', 'It was △1.234,56 then', 'It was 1.234,56-'])
      assert.notEqual(match(page, '1.234,56').verdict, 'verbatim', page);
    for (const page of ['It was 12 tonnes', 'It was 12 people', 'It was 12年', 'In 12 months', 'It was 12, million'])
      assert.equal(match(page, '12').verdict, 'verbatim', page);
  });

  it('never ends with a raised digit, which may be left out or written apart', () => {
    const page = 'Energy 12.5² GWh, water 406,615 m³, sites¹ and 12.5² m³ in all';
    for (const quote of [
      'Energy 12.5 GWh',
      'Energy 12.5² GWh',
      'Energy 12.5 2 GWh',
      '406,615 m3',
      '406,615 m³',
      '406,615 m',
      'sites and 12.5 m3',
      'sites1 and',
      'sites¹ and 12.5² m³',
      '12.5',
    ])
      assert.equal(match(page, quote).verdict, 'verbatim', quote);
    for (const quote of ['Energy 12.52 GWh', '406,6153 m', 'water 406,615 m4', '12.52'])
      assert.notEqual(match(page, quote).verdict, 'verbatim', quote);
  });

  it('may be in words that a hyphen or a line break parts', () => {
    for (const page of ['a long-term plan for 2030', 'a longterm plan for 2030'])
      for (const quote of ['long-term plan for 2030', 'longterm plan for 2030', 'a long-\nterm plan'])
        assert.equal(match(page, quote).verdict, 'verbatim', `${page}|${quote}`);
    assert.equal(match('a long-term plan for 2030', 'term plan for 2030').verdict, 'verbatim');
    assert.notEqual(match('We resign the lease.', 'We re-sign the lease.').verdict, 'verbatim');
  });
});

describe('A page made to take long', () => {
  it('is compared in time', () => {
    const begun = performance.now();
    const pages = ['a', 'a ', '漢'].map((unit) => [unit.repeat(1_000_000 / unit.length), unit] as const);
    for (const [page, unit] of pages) {
      const quote = unit.repeat(10_000 / unit.length);
      for (const made of [quote, `${quote}b`, `b${quote}`, `${quote.slice(0, 900)}b${quote.slice(0, 900)}`])
        match(page, made);
    }
    assert.ok(performance.now() - begun < 20_000);
  });
});
