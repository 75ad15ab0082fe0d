import assert from 'node:assert/strict';
import de from '../../../src/demo/data/words.de.json' with { type: 'json' };
import en from '../../../src/demo/data/words.en.json' with { type: 'json' };
import fr from '../../../src/demo/data/words.fr.json' with { type: 'json' };
import { normalForm } from '../../../src/text/normalForm.ts';
import { checkQuote } from '../../../src/text/quoteCheck.ts';

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
      const checked = checkQuote(page, quote);
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
      const checked = checkQuote(page, changed.join(' '));
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
      assert.equal(checkQuote(page, quote).verdict, 'no', quote);
    }
  });

  it('tells what differs by what was said and what stands there', () => {
    const page = 'In 2023 direct emissions fell to 1,234 tonnes, and the board did not approve a new target for waste.';
    const checked = checkQuote(page, 'direct emissions fell to 1,235 tonnes, and the board did approve a new target');
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
    for (const [page, quote] of without) assert.notEqual(checkQuote(normalForm(page), quote).verdict, 'verbatim', page);
    const whole = ['5.2 billion', '1.234,5 Mio. €', '12–15 %', '− 12,3 %', '> 50 %', '12 –5.5', '12'];
    for (const text of whole) assert.equal(checkQuote(normalForm(`${text} in all`), text).verdict, 'verbatim', text);
    // Cells of a table: the second one has the sign.
    assert.equal(checkQuote('Change 12 –5.5 7', 'Change 12').verdict, 'verbatim');
    const near = checkQuote('The water withdrawn was 1 234 litres.', 'The water withdrawn was 1');
    assert.deepEqual(near.verdict === 'nearly' && near.differences, [{ quote: '1', page: '1 234' }]);
    for (const [page, quote] of cut) assert.notEqual(checkQuote(normalForm(page), quote).verdict, 'verbatim', quote);
    assert.equal(checkQuote(normalForm('Sites: 100¹ in all.'), 'Sites: 100¹ in all').verdict, 'verbatim');
    assert.equal(checkQuote('Women: 36 % of managers.', '36 %').verdict, 'verbatim');
    assert.equal(checkQuote('環境報告書を公表しました。', '報告書を公表').verdict, 'verbatim');
  });

  it('is not led by dots that lead to a number', () => {
    const dots = '. '.repeat(200);
    const page = `Contents Waste ${dots} 12 Water ${dots} 14`;
    assert.equal(checkQuote(page, `Profit ${dots} 12`).verdict, 'no');
    assert.equal(checkQuote(page, `Gains ${dots} 12 Water ${dots} 14`).verdict, 'no');
  });

  it('finds a quote that begins anew within what looked like its beginning', () => {
    const page = 'We plan and we plan and we plan and we act on one two one two one two three.';
    for (const quote of ['we plan and we plan and we act', 'we plan and we act', 'one two one two three']) {
      assert.equal(checkQuote(page, quote).verdict, 'verbatim', quote);
    }
    assert.equal(checkQuote(page, 'one two two', 'verbatim').verdict, 'no');
  });

  it('takes no longer for a long quote that a page nearly has everywhere', () => {
    const page = 'a '.repeat(40_000);
    const timeOf = (words: number) => {
      const begun = performance.now();
      assert.equal(checkQuote(page, `${'a '.repeat(words)}b`, 'verbatim').verdict, 'no');
      return performance.now() - begun;
    };
    const least = (words: number) => Math.min(...[1, 2, 3, 4].map(() => timeOf(words)));
    assert.ok(least(599) < 2 * least(2) + 10);
  });

  it('finds nothing in nothing, takes any text, and ends soon on long ones', () => {
    for (const quote of ['', ' ', '.', '\ud800', '“”', 'a '.repeat(2000)]) {
      assert.equal(checkQuote('The board met. Twice.', quote).verdict, 'no', quote);
    }
    assert.equal(checkQuote('', 'The board met twice in all.').verdict, 'no');
    const begun = performance.now();
    checkQuote('the same words '.repeat(10_000), `${'the same words '.repeat(190)} other`);
    assert.ok(performance.now() - begun < 5000);
  });
});
