import assert from 'node:assert/strict';
import fc from 'fast-check';
import { askedIn, guessWords, splitPieces, typedPieces } from '../../../../src/editor/resolve/csv.ts';
import { cleanText } from '../../../../src/identifiers/codes.ts';
import { findIdentifiers, identifierAt } from '../../../../src/identifiers/find.ts';
import { nameAt, typedTextAt } from '../../../../src/identifiers/nameInCode.ts';
import { recognize } from '../../../../src/identifiers/recognize.ts';
import { parseReportKey } from '../../../../src/identifiers/reportKey.ts';
import { guessColumns, readTable } from '../../../../src/identifiers/table.ts';
import { anyText } from '../../identifiers/arbitraries.ts';

describe('What a text asks for', () => {
  const pieces: Readonly<Record<string, readonly [text: string, ...pieces: string[]][]>> = {
    'is a piece a line, comma, semicolon or tab': [
      [' DE000A99ALB2, XLON:THWK;\tThorn plc\r\n\n„Älv“ ', 'DE000A99ALB2', 'XLON:THWK', 'Thorn plc', 'Älv'],
    ],
    'keeps a legal form with its name, in other languages too': [
      ['AAPL, SE, MSFT\nBAS,AG', 'AAPL', 'SE', 'MSFT', 'BAS', 'AG'],
      [
        'Amazon.com, Inc., Thornwick, plc; DE000A99ALB2,AG Bank',
        'Amazon.com, Inc.',
        'Thornwick, plc',
        'DE000A99ALB2',
        'AG Bank',
      ],
      ...['Nordwerk, A/S', 'Verreries du Mistral, S.A.S.', 'Cemento, S.A.B. de C.V.', 'Kivi, Oy'].map(
        (name): [string, string, string] => [`${name}, Thornwick plc`, name, 'Thornwick plc'],
      ),
    ],
    'keeps a number whole whose digits are grouped': [
      ['CIK: 9,900,412, CIK 900,131; AAPL,9,900,412', 'CIK: 9900412', 'CIK 900131', 'AAPL', '9900412'],
      ['700,939\n1,234,567,890,123,45', '700', '939', '1', '234', '567', '890', '123', '45'],
    ],
    'has no brackets, quotes and bullets of the language around it': [
      [
        '["Thornwick plc", \'Foo (UK)\']\n- Hohenfels\n(XLON:THWK)',
        'Thornwick plc',
        'Foo (UK)',
        'Hohenfels',
        'XLON:THWK',
      ],
    ],
  };
  for (const [rule, cases] of Object.entries(pieces))
    it(rule, () => {
      for (const [text, ...wanted] of cases) assert.deepEqual(splitPieces(text), wanted);
    });

  it('may be typed with blanks between identifiers, while a name keeps its blanks', () => {
    assert.deepEqual(typedPieces('DE000A99ALB2 XLON:THWK, Thornwick plc'), [
      'DE000A99ALB2',
      'XLON:THWK',
      'Thornwick plc',
    ]);
    assert.deepEqual(typedPieces('Thornwick XLON:THWK'), ['Thornwick XLON:THWK']);
    assert.deepEqual(typedPieces('XETR_ALBM_2024_SR  XETR_ALBM_2023_SR'), ['XETR_ALBM_2024_SR', 'XETR_ALBM_2023_SR']);
    assert.deepEqual(typedPieces(' '), []);
  });

  it('is the identifiers that a line of code holds', async () => {
    const code = 'isins = [\n  "DE000A99ALB2",  # Altenbruch\n  "FR0099VMIS17",\n]\nprint(len(isins), "XLON:THWK")';
    assert.deepEqual(await askedIn(code, 'prose'), ['DE000A99ALB2', 'FR0099VMIS17', 'XLON:THWK']);
    assert.deepEqual(await askedIn('Thornwick plc; isin = DE000A99ALB2', 'list'), ['Thornwick plc', 'DE000A99ALB2']);
  });

  it('is report keys as well as identifiers', async () => {
    const text = 'See XPAR_VMIS_2022_AR2.pdf of DE000A99ALB2 and XETR_ALBM_2024_SR.';
    assert.deepEqual(await askedIn(text, 'prose'), ['XPAR_VMIS_2022_AR2', 'DE000A99ALB2', 'XETR_ALBM_2024_SR']);
  });

  it('never fails and never hangs, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.constantFrom('list', 'prose'), async (text, form) => {
        for (const piece of await askedIn(text, form)) assert.notEqual(piece, '');
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[](){}<>"\'`,-* x') }), (text) => void splitPieces(text)),
      { numRuns: 2000 },
    );
  });
});

describe('A long text', () => {
  it('costs no more than its length, whatever it is made of', () => {
    const readers: Readonly<Record<string, (text: string) => unknown>> = {
      cleanText,
      recognize,
      parseReportKey,
      splitPieces,
      findIdentifiers,
      typedPieces: (text) => typedPieces(text),
      identifierAt: (text) => identifierAt(text, text.length / 2),
      nameAt: (text) => nameAt(text, text.length / 2),
      typedTextAt,
      'a key that is none': (text) => recognize(`XETR_A${text} x:`),
      readTable: (text) => readTable(text),
    };
    const pieces = [...'aA0_"()[- :*“\n,é', '"\'', '_2024_SR', 'cik '];
    for (const [name, read] of Object.entries(readers)) {
      for (const piece of pieces) {
        const ms = (length: number) => {
          const text = piece.repeat(length / piece.length);
          const start = process.cpuUsage();
          read(text);
          return process.cpuUsage(start).user / 1000;
        };
        // What grew with the square of this took seconds. By the processor's time, which others on the machine don't take.
        assert.ok(ms(128_000) < 1_000, `${name} of ${JSON.stringify(piece)}`);
      }
    }
  });

  it('lets others have their turn while it is read', async () => {
    const row = 'Orlestone Group plc,GB0099RLST40,0.123456,some note text\n';
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    });
    const found = await askedIn(row.repeat(20_000), 'list');
    clearInterval(timer);
    assert.equal(found.length, 80_000);
    assert.ok(turns > 3, `${turns} turns`);
  });
});

describe('The column of identifiers', () => {
  const portfolio = [
    'holding,identifier,weight',
    'Zeeduin Logistics,NL0099ZDUI08,0.14',
    'Altenbruch,DEMO00ALTENBRUCHAG60,0.11',
    'Thornwick,XLON:THWK,0.09',
    'Hohenfels,Gebrüder Hohenfels,0.05',
    '',
  ].join('\n');

  it('is the one with most identifiers, and says what it saw', () => {
    const [first, ...others] = guessColumns(readTable(portfolio));
    assert.equal(first?.header, 'identifier');
    assert.ok(first && guessWords(first).startsWith('3 of 4 recognized: '), first && guessWords(first));
    assert.deepEqual(first.samples[0], 'NL0099ZDUI08');
    assert.deepEqual(
      others.map(({ header }) => header),
      ['holding', 'weight'],
    );
  });

  it('may be one of report keys, where no other is there', () => {
    const table = readTable('isin,report_key\nDE000A99ALB2,XETR_ALBM_2024_SR\n');
    assert.deepEqual(
      guessColumns(table).map(({ header }) => header),
      ['isin', 'report_key'],
    );
    assert.equal(guessColumns(readTable('title,report_key\nA report,XETR_ALBM_2024_SR\n'))[0]?.header, 'report_key');
  });
});
