import assert from 'node:assert/strict';
import { comparable, type QuoteWords, SearchedPages, timesIn } from '../../../src/evidence/anchor.ts';
import { type CheckedRecord, checkRecords } from '../../../src/evidence/check.ts';
import type { EvidenceRecord } from '../../../src/evidence/record.ts';
import { normalForm } from '../../../src/text/normalForm.ts';

/** Numbers from 0 to below 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const stems = ['emission', 'scope', 'wood', 'river', 'audit', 'board', 'risk', 'water', 'plant', 'supply', 'train'];
const ends = ['s', 'ing', 'ed', 'ability', 'ment', 'ly', '', '-free', 'al'];

function words(count: number, next: () => number): string[] {
  const pick = <T>(all: readonly T[]) => all[Math.floor(next() * all.length)] as T;
  return Array.from({ length: count }, () =>
    next() < 0.1 ? `${Math.floor(next() * 1000)} ${100 + Math.floor(next() * 900)}` : `${pick(stems)}${pick(ends)}`,
  );
}

interface Layout {
  readonly perLine: number;
  readonly perPage: number;
  readonly head: string;
}

/** Words as pages of lines, with a running head and a page number, and with words broken at the ends of lines. */
function laidOut(all: readonly string[], { perLine, perPage, head }: Layout): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of all) {
    const room = perLine - line.length;
    if (word.length < room) line += `${word} `;
    else if (/^[a-z]{9,}$/.test(word) && room > 5) {
      lines.push(`${line}${word.slice(0, 4)}-`);
      line = `${word.slice(4)} `;
    } else {
      lines.push(line.trimEnd());
      line = `${word} `;
    }
  }
  lines.push(line.trimEnd());
  const pages: string[] = [];
  for (let at = 0; at < lines.length; at += perPage)
    pages.push([head, ...lines.slice(at, at + perPage), `Annual Report ${pages.length + 1}`].join('\n'));
  return pages;
}

const first: Layout = { perLine: 80, perPage: 40, head: 'Sustainability statement' };
const second: Layout = { perLine: 57, perPage: 33, head: 'Sustainability statement, restated edition' };

interface MadeQuote extends QuoteWords {
  readonly from: number;
  readonly to: number;
}

/** Quotes as the preview makes them: words of a page, with what stands around them there. */
function quotesOf(all: readonly string[], pages: readonly string[], count: number, next: () => number): MadeQuote[] {
  const quotes: MadeQuote[] = [];
  while (quotes.length < count) {
    const from = Math.floor(next() * (all.length - 40));
    const to = from + 3 + Math.floor(next() * 35);
    const wanted = comparable(all.slice(from, to).join(' '));
    const page = pages.find((text) => comparable(text).includes(wanted));
    if (page === undefined || timesIn(page, wanted) !== 1 || wanted.length < 12) continue;
    const whole = comparable(page);
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
      const old = laidOut(all, first);
      const quotes = quotesOf(all, old, 13, next);
      // A word in each fiftieth place, and so in many a quote.
      const edited = all.map((word, index) => (index % 50 === pdf % 50 ? `rewritten${index}` : word));
      const variants = [
        { text: all, pages: [...laidOut(words(900, next), first), ...old] },
        { text: all, pages: laidOut(all, second) },
        { text: edited, pages: laidOut(edited, first) },
        { text: edited, pages: laidOut(edited, second) },
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

  it('counts digits, signs and the blank between two numbers, and no line break, hyphen or ligature', () => {
    assert.equal(comparable('sus-\ntain­able  eﬃciency'), comparable('sustainable efﬁciency'));
    assert.equal(comparable('long-\nterm'), comparable('long-term'));
    assert.notEqual(comparable('1 23'), comparable('12 3'));
    assert.notEqual(comparable('−12'), comparable('12'));
    assert.notEqual(comparable('-12'), comparable('12'));
    assert.equal(timesIn('to be or not to\nbe', 'to be'), 2);
  });
});

describe('a check', () => {
  const hash = (digit: string) => digit.repeat(64);
  const record = (id: string, change: Partial<EvidenceRecord> = {}): EvidenceRecord => ({
    id,
    kind: 'quote',
    report_id: 7,
    report_key: 'XETR_A_2024_SR',
    sha256: hash('a'),
    selector: { type: 'TextQuoteSelector', exact: 'We measured it twice.', prefix: '', suffix: '' },
    regions: [{ page: 3, label: null, rectangles: [] }],
    note: '',
    created_at: '2026-11-23T10:00:00Z',
    ...change,
  });
  const signal = new AbortController().signal;

  it('tells the same bytes, a newer version and what is not here apart, and reads text only where it must', async () => {
    const read: string[] = [];
    const pdfs = {
      here: async () => [
        { report_id: 7, sha256: hash('a'), path: 'a.pdf' },
        { report_id: 8, sha256: hash('b'), path: 'b.pdf' },
        { report_id: 9, sha256: hash('c'), path: 'c.pdf' },
      ],
      async text({ path }: { readonly path: string }) {
        read.push(path);
        if (path === 'c.pdf') return { reason: 'It has no text.' };
        return {
          pages: [
            { label: 'i', text: 'Cover' },
            { label: '1', text: 'We measured\nit twice.' },
          ],
        };
      },
    };
    const gone = { type: 'TextQuoteSelector', exact: 'We never measured it.', prefix: '', suffix: '' } as const;
    const checked = await checkRecords(
      [
        record('same'),
        record('found', { report_id: 8, sha256: hash('e') }),
        record('gone', { report_id: 8, sha256: hash('e'), selector: gone }),
        record('scan', { report_id: 9, sha256: hash('e') }),
        record('away', { report_id: 10, sha256: hash('d') }),
        // The same bytes under another report's id, as a merge of reports leaves them.
        record('merged', { report_id: 11 }),
      ],
      pdfs,
      signal,
    );
    assert.deepEqual(
      checked.map(({ record: { id }, state, page, label, reason }) => [id, state, page, label, reason]),
      [
        ['same', 'same', 3, undefined, undefined],
        ['found', 'found', 2, '1', undefined],
        ['gone', 'gone', undefined, undefined, undefined],
        ['scan', 'ambiguous', undefined, undefined, 'It has no text.'],
        ['away', 'not-here', undefined, undefined, undefined],
        ['merged', 'same', 3, undefined, undefined],
      ],
    );
    assert.deepEqual(read, ['b.pdf', 'c.pdf']);
  });

  it('holds 10,000 records against 40 newer PDFs within a second', async () => {
    const texts = Array.from({ length: 40 }, (_, pdf) => laidOut(words(12_000, numbers(pdf)), first).map(normalForm));
    const newer = texts.map((_, pdf) => ({ report_id: pdf + 1, sha256: hash('b'), path: `${pdf}` }));
    // Each tenth is no longer there, and each tenth is a table.
    const records = Array.from({ length: 10_000 }, (_, index) => {
      const all = texts[index % 40]?.[index % 9]?.split(' ') ?? [];
      const [part, from] = [Math.floor(index / 40) % 10, 40 + (index % 100)];
      const said = (begin: number, end: number) => all.slice(begin, end).join(' ');
      const change = { report_id: 1 + (index % 40) };
      if (part === 1) {
        const rows = [0, 4, 8, 12].map((row) => [
          said(from + row, from + row + 2),
          said(from + row + 2, from + row + 4),
        ]);
        const cells = index % 2 === 0 ? rows : [...rows, ['Scope', '8,765,431']];
        const regions = [{ page: 1, label: null, rectangles: [], cells }];
        return record(`id-${index}`, { ...change, kind: 'table', selector: null, regions });
      }
      const exact = part === 0 ? `${said(from, from + 10)} ${index}X ${said(from, from + 10)}` : said(from, from + 20);
      const around = { prefix: said(from - 5, from), suffix: said(from + 20, from + 25) };
      return record(`id-${index}`, { ...change, selector: { type: 'TextQuoteSelector', exact, ...around } });
    });
    const pdfs = {
      here: async () => newer.map((pdf, index) => ({ ...pdf, sha256: index.toString(16).padStart(64, '0') })),
      text: async ({ path }: { readonly path: string }) => ({
        pages: (texts[Number(path)] ?? []).map((text) => ({ label: null, text })),
      }),
    };
    let took = Number.POSITIVE_INFINITY;
    let checked: readonly CheckedRecord[] = [];
    // Of the processor, and the better of two: other tests run beside this one.
    for (let run = 0; run < 2; run += 1) {
      const begun = process.cpuUsage();
      checked = await checkRecords(records, pdfs, signal);
      took = Math.min(took, process.cpuUsage(begun).user / 1000);
    }
    const count = (kind: string, state: string) =>
      checked.filter((one) => one.record.kind === kind && one.state === state).length;
    assert.deepEqual([count('quote', 'found'), count('quote', 'gone')], [8000, 1000]);
    assert.ok(count('table', 'found') > 100 && count('table', 'gone') >= 500);

    assert.ok(took < 1000, `${took} ms`);
  });
});
