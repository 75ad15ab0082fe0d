import assert from 'node:assert/strict';
import { type QuoteWords, SearchedPages } from '../../../src/evidence/anchor.ts';
import { quotesOnPage } from '../../../src/evidence/quoted.ts';
import { normalForm } from '../../../src/text/normalForm.ts';
import { firstLayout, laidOut, numbers, secondLayout, words } from '../../support/evidence/madePages.ts';

interface MadeQuote extends QuoteWords {
  readonly from: number;
  readonly to: number;
}

/** Without blanks and hyphens in words. */
const comparable = (text: string) => normalForm(text).replace(/ |(?<=\p{L})-(?=\p{L})/gu, '');

/** Quotes as the preview makes them: words of a page, with what stands around them there. */
function quotesOf(all: readonly string[], pages: readonly string[], count: number, next: () => number): MadeQuote[] {
  const quotes: MadeQuote[] = [];
  while (quotes.length < count) {
    const from = Math.floor(next() * (all.length - 40));
    const to = from + 3 + Math.floor(next() * 35);
    const wanted = comparable(all.slice(from, to).join(' '));
    const page = pages.find((text) => comparable(text).includes(wanted));
    const whole = comparable(page ?? '');
    if (whole.split(wanted).length !== 2 || wanted.length < 12) continue;
    const at = whole.indexOf(wanted);
    const prefix = whole.slice(Math.max(0, at - 32), at);
    quotes.push({
      exact: all.slice(from, to).join('\n'),
      prefix,
      suffix: whole.slice(at + wanted.length).slice(0, 32),
      from,
      to,
    });
  }
  return quotes;
}

describe('a quote in a newer version of its PDF', () => {
  it('is found where pages were inserted, text was reflowed or a word was changed, and never in a wrong place', () => {
    let [unchanged, found, wrong, changed] = [0, 0, 0, 0];
    for (let pdf = 1; pdf <= 40; pdf += 1) {
      const next = numbers(pdf);
      const all = words(12_000, next);
      const old = laidOut(all, firstLayout);
      const quotes = quotesOf(all, old, 13, next);
      // A word in each fiftieth place, and so in many a quote.
      const edited = all.map((word, index) => (index % 50 === pdf % 50 ? `rewritten${index}` : word));
      const variants = [
        { text: all, pages: [...laidOut(words(900, next), firstLayout), ...old] },
        { text: all, pages: laidOut(all, secondLayout) },
        { text: edited, pages: laidOut(edited, firstLayout) },
        { text: edited, pages: laidOut(edited, secondLayout) },
      ];
      for (const { text, pages } of variants) {
        const searched = new SearchedPages(pages);
        for (const quote of quotes) {
          const isSame = text.slice(quote.from, quote.to).join() === all.slice(quote.from, quote.to).join();
          const answer = searched.find(quote);
          if (!isSame) {
            changed += 1;
            if (answer.state === 'found') wrong += 1;
            continue;
          }
          unchanged += 1;
          if (answer.state !== 'found') continue;
          const begins = comparable(quote.exact).slice(0, 4);
          if (comparable(pages[answer.page - 1] ?? '').includes(begins)) found += 1;
          else wrong += 1;
        }
      }
    }
    assert.ok(unchanged > 1000 && changed > 300, `${unchanged} unchanged, ${changed} changed`);
    assert.equal(wrong, 0);
    assert.ok(found / unchanged >= 0.98, `${found} of ${unchanged}`);
  });

  it('is told by its surroundings where the words are there more than once, else a person has to look', () => {
    const words = { exact: 'total emissions fell', prefix: 'In Europe our ', suffix: ' by a tenth.' };
    const european = 'In Europe our total emissions fell by a tenth.';
    const asian = 'In Asia, though, total emissions fell more slowly.';
    assert.deepEqual(new SearchedPages([asian, european]).find(words), { state: 'found', page: 2 });
    assert.deepEqual(new SearchedPages([european, asian, european]).find(words), {
      state: 'ambiguous',
      pages: [1, 2, 3],
    });
    // The one that was quoted was rewritten: what is left is another one.
    assert.deepEqual(new SearchedPages([asian]).find(words), { state: 'ambiguous', pages: [1] });
    assert.deepEqual(new SearchedPages(['Nothing of it.']).find(words), { state: 'gone' });
    assert.deepEqual(new SearchedPages([]).find(words), { state: 'gone' });
  });

  it('is not found where its last or first word or number is part of another one', () => {
    const state = (exact: string, prefix: string, suffix: string, now: string) =>
      new SearchedPages([now]).find({ exact, prefix, suffix }).state;
    const at = ['In 2024 the ', ' million of it abroad.'] as const;
    assert.equal(state('revenue was EUR 12', ...at, 'In 2024 the revenue was EUR 12 million of it.'), 'found');
    for (const now of ['EUR 125 million', 'EUR 12.5 million', 'EUR 12 500 million', 'EUR 12% more', 'EUR 12 billion'])
      assert.equal(state('revenue was EUR 12', ...at, `In 2024 the revenue was ${now}`), 'ambiguous', now);
    assert.equal(state('revenue was EUR 12.', 'the ', ' Then', 'the revenue was EUR 12.5'), 'ambiguous');
    assert.equal(
      state('5 million of profit', 'It had ', ' in all of its years', 'It had 5 million of profit in all of its years'),
      'found',
    );
    for (const now of ['−5', '-5', '(5', '25', '1.5'])
      assert.equal(
        state(
          '5 million of profit',
          'It had ',
          ' in all of its years',
          `It had ${now} million of profit in all of its years`,
        ),
        'ambiguous',
        now,
      );
    assert.equal(
      state('we expect a profit', 'For 2025 ', ', again', 'For 2025 we expect a profitless year'),
      'ambiguous',
    );
  });

  it('is not found where its words are parted in another way, or a raised digit is one of the figure', () => {
    const state = (exact: string, now: string) =>
      new SearchedPages([`We hold that ${now} here, today.`]).find({
        exact,
        prefix: 'We hold that ',
        suffix: ' here, today.',
      }).state;
    const exact = 'data is in valid form for audit';
    assert.equal(state(exact, 'data is\nin  valid form for\naudit'), 'found');
    assert.equal(state(exact, 'data is invalid form for audit'), 'ambiguous');
    assert.equal(state('we re-sign the contract', 'we resign the contract'), 'ambiguous');
    assert.equal(state('we re-sign the contract', 'we re-sign the con-\ntract'), 'found');
    assert.equal(state('a long-term contract', 'a longterm contract'), 'found');
    assert.equal(state('revenue rose to 10²', 'revenue rose to 102'), 'gone');
    assert.equal(state('revenue rose by 12 % and more', 'revenue rose by 12% and more'), 'found');
    assert.equal(state('排出 GHG の合計は十二万三千トン', '排出GHGの合計は十二万三千トン'), 'found');
  });

  it('needs a look where more than head and foot of two pages stands between its parts', () => {
    const exact = 'The company will pay a dividend in May to all of its shareholders.';
    const words = { exact, prefix: 'Proposal. ', suffix: '' };
    const pages = (one: string, two: string) => [
      'Annual Report\nOutlook.\nPage 1',
      `Annual Report\nProposal. The company will${one}\nPage 2`,
      `Annual Report\n${two}pay a dividend in May to all of its shareholders.\nPage 3`,
      'Annual Report\nEnd.\nPage 4',
    ];
    assert.deepEqual(new SearchedPages(pages('', '')).find(words), { state: 'found', page: 2 });
    for (const [one, two] of [
      [' not', ''],
      ['', 'no '],
      [', if the meeting agrees to it,', ''],
      ['', 'never again '],
    ] as const)
      assert.notEqual(new SearchedPages(pages(one, two)).find(words).state, 'found', `${one}|${two}`);
  });

  it('is not found over two pages where its words are parted in another way than by the page break', () => {
    const stateOf = (exact: string, one: string, two: string) =>
      new SearchedPages([
        'Annual Report\nOutlook.\nPage 1',
        `Annual Report\nProposal. ${one}\nPage 2`,
        `Annual Report\n${two}\nPage 3`,
        'Annual Report\nEnd.\nPage 4',
      ]).find({ exact, prefix: 'Proposal. ', suffix: '' }).state;
    const exact = 'All of the data is in valid form for the audit of this year.';
    assert.equal(stateOf(exact, 'All of the data is in valid', 'form for the audit of this year.'), 'found');
    assert.equal(stateOf(exact, 'All of the data is in', 'valid form for the audit of this year.'), 'found');
    assert.equal(stateOf(exact, 'All of the data is invalid', 'form for the audit of this year.'), 'ambiguous');
    assert.equal(stateOf(exact, 'All of the data is in valid form for the au-', 'dit of this year.'), 'found');
  });

  it('is found with or without the raised marks of notes, and never with one as a digit', () => {
    const pages = new SearchedPages(['In all: Energy 12.5² GWh, used here.']);
    const stateOf = (exact: string) => pages.find({ exact, prefix: 'In all:', suffix: ', used here.' }).state;
    for (const exact of ['Energy 12.5 GWh', 'Energy 12.5² GWh', 'Energy 12.5 2 GWh'])
      assert.equal(stateOf(exact), 'found', exact);
    assert.equal(stateOf('Energy 12.52 GWh'), 'gone');
  });

  it('is searched in time on pages made to take long', () => {
    const page = 'a'.repeat(1_000_000);
    const begun = performance.now();
    const exact = `${'a'.repeat(5000)}b${'a'.repeat(5000)}`;
    assert.equal(new SearchedPages([page, page]).find({ exact, prefix: 'x', suffix: 'y' }).state, 'gone');
    assert.ok(performance.now() - begun < 20_000);
  });

  it('counts digits, signs and the blank between two numbers, and no line break, hyphen or ligature', () => {
    const times = (text: string, exact: string) => quotesOnPage(text, { exact }).length;
    assert.equal(times('sus-\ntain\u00ADable  e\uFB03ciency', 'sustainable ef\uFB01ciency'), 1);
    assert.equal(times('long-\nterm', 'long-term'), 1);
    assert.equal(times('1 23', '12 3'), 0);
    assert.equal(times('12', '-12'), 0);
    assert.equal(times('12', '\u221212'), 0);
    assert.equal(times('to be or not to\nbe', 'to be'), 2);
  });
});
