import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completeFigi, completeIsin, completeLei } from '../../../src/identifiers/codes.ts';
import { type IdentifierKind, maySend, recognize } from '../../../src/identifiers/recognize.ts';
import { figiBody, isinBody, leiBody } from './arbitraries.ts';

const kinds: readonly IdentifierKind[] = ['isin', 'lei', 'figi', 'cik', 'ticker', 'symbol', 'name', 'report-key'];

describe('Recognizing what was typed', () => {
  const examples: readonly (readonly [text: string, kind: IdentifierKind, value: string])[] = [
    ['au0000xvgza3', 'isin', 'AU0000XVGZA3'],
    ['„AU0000XVGZA3“', 'isin', 'AU0000XVGZA3'],
    ['bbg000blnq16', 'figi', 'BBG000BLNQ16'],
    ['54930084UKLVMY22DS16', 'lei', '54930084UKLVMY22DS16'],
    ['0009900131', 'cik', '0009900131'],
    ['9900131', 'cik', '0009900131'],
    ['CIK 9900131', 'cik', '0009900131'],
    ['CIK=9900131', 'cik', '0009900131'],
    ['ISIN: AU0000XVGZA3', 'isin', 'AU0000XVGZA3'],
    ['ISIN AU0000XVGZA3', 'isin', 'AU0000XVGZA3'],
    ['FIGI:BBG000BLNQ16', 'figi', 'BBG000BLNQ16'],
    ['LEI: 54930084UKLVMY22DS16', 'lei', '54930084UKLVMY22DS16'],
    ['ＡＵ００００ＸＶＧＺＡ３', 'isin', 'AU0000XVGZA3'],
    ['XPAR：VMIS', 'ticker', 'XPAR:VMIS'],
    ['Caf\u0065\u0301 Nord', 'name', 'Caf\u00E9 Nord'],
    ['="AU0000XVGZA3"', 'isin', 'AU0000XVGZA3'],
    ["'AU0000XVGZA3", 'isin', 'AU0000XVGZA3'],
    ['xpar:vmis', 'ticker', 'XPAR:VMIS'],
    ['XPAR_VMIS', 'ticker', 'XPAR:VMIS'],
    ['XPAR_VMIS_2022_AR2', 'report-key', 'XPAR_VMIS_2022_AR2'],
    ['UNLT_WILGENMELK_2016_SR_2', 'report-key', 'UNLT_WILGENMELK_2016_SR_2'],
    ['UNLT_WILGENMELK', 'symbol', 'UNLT_WILGENMELK'],
    ['VMIS', 'symbol', 'VMIS'],
    ['6q41', 'symbol', '6Q41'],
    ['Zeeduin', 'name', 'Zeeduin'],
    ['zeeduin logistics n.v.', 'name', 'zeeduin logistics n.v.'],
    ['«\u00A0Verreries  du Mistral SA »', 'name', 'Verreries du Mistral SA'],
    ['\u202Bواحة الندى\u202C', 'name', 'واحة الندى'],
    ['Zee\u0000duin', 'name', 'Zee duin'],
    ['Notes: a company', 'name', 'Notes: a company'],
    ['ABCDEFGHIJKL', 'symbol', 'ABCDEFGHIJKL'],
    ['ABCDEFGHIJKLM', 'name', 'ABCDEFGHIJKLM'],
    ['ABC1DEFGHIJK', 'symbol', 'ABC1DEFGHIJK'],
    ['ABCDEFGHIJKLMN123', 'name', 'ABCDEFGHIJKLMN123'],
    ['ABCDEFGHIJKLMNOPQ12', 'name', 'ABCDEFGHIJKLMNOPQ12'],
    ['ABCDEFGHIJKLMNOPQRST123', 'name', 'ABCDEFGHIJKLMNOPQRST123'],
    ['5493 0084UKLVMY22DS1', 'name', '5493 0084UKLVMY22DS1'],
    ['1U0000XVGZA', 'symbol', '1U0000XVGZA'],
    ['Century 21 Real Estates', 'name', 'Century 21 Real Estates'],
    ['5493 0084 UKLV MY22 DS16', 'lei', '54930084UKLVMY22DS16'],
    ['x'.repeat(300), 'name', 'x'.repeat(300)],
    ['cikade', 'name', 'cikade'],
    ['ISIN-Code: AU0000XVGZA3', 'isin', 'AU0000XVGZA3'],
    ['ISIN no. AU0000XVGZA3', 'isin', 'AU0000XVGZA3'],
    ['Ticker: VMIS', 'symbol', 'VMIS'],
    ['Ticker: XNYS:BF/B', 'ticker', 'XNYS:BF/B'],
    ['XPAR: VMIS', 'ticker', 'XPAR:VMIS'],
    ['Fund: Global', 'name', 'Fund: Global'],
    ['LSE: A history', 'name', 'LSE: A history'],
  ];
  for (const [text, kind, value] of examples) {
    it(`${JSON.stringify(text)} is a ${kind}`, () => assert.deepEqual(recognize(text), { kind, value }));
  }

  it('names the problem of what is nearly right', () => {
    for (const [text, kind, problem] of [
      ['AU0000XVGZA4', 'isin', /check digit/],
      ['AU0000XVGZA', 'isin', /this one has 11/],
      ['AU0000XVGZA33', 'isin', /this one has 13/],
      ['BBG000BLNQ17', 'figi', /check digit/],
      ['ABCDEFGHIJKLMNO123', 'lei', /this one has 18/],
      ['ABCDEFGHIJKLMNOPQRS123', 'lei', /this one has 22/],
      ['54930084UKLVMY22DS17', 'lei', /check digits/],
      ['54930084UKLVMY22DS1', 'lei', /this one has 19/],
      ['ABC:VMIS', 'ticker', /four letters/],
      ['NYSE:BRK.B', 'ticker', /XNYS:BRK\.B/],
      ['NYSE: BRK.B', 'ticker', /XNYS:BRK\.B/],
      ['NYSE:BF B', 'ticker', /XNYS:BF B/],
      ['7203:XTKS', 'ticker', /XTKS:7203/],
      ['LSE:VOD', 'ticker', /XLON:VOD/],
      ['ORLS:XLON', 'ticker', /XLON:ORLS/],
      ['CIK abc', 'cik', /1 to 10 digits/],
      ['', 'name', /empty/],
      ['\u200B\u0000', 'name', /empty/],
      ['😀', 'name', /letter or digit/],
      ['x'.repeat(301), 'name', /up to 300/],
    ] as const) {
      const found = recognize(text);
      assert.equal(found.kind, kind, text);
      assert.match(found.problem ?? '', problem, text);
    }
  });

  it('sends what breaks no rule but that of the check digit', () => {
    const sent = ['AU0000XVGZA3', 'AU0000XVGZA4', 'BBG000BLNQ17', '54930084UKLVMY22DS17', 'VMIS', 'Zeeduin'];
    const kept = ['AU0000XVGZA', 'ABCDEFGHIJKLMNOPQR1Z', '54930084UKLVMY22DS1', 'ABC:VMIS', 'CIK abc', '', '😀'];
    for (const text of sent) assert.equal(maySend(recognize(text)), true, text);
    for (const text of kept) assert.equal(maySend(recognize(text)), false, text);
  });

  it('finds nothing in what is empty, and in what spreadsheets write for nothing, or for a formula that failed', () => {
    for (const text of ['', '  ', '""', '\u200B', 'NA', '#N/A', 'null', 'nan', '-'])
      assert.equal(recognize(text).value, '');
    for (const text of ['n.a.', '#NA', '#N/A N/A', '<NA>', '(blank)', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!'])
      assert.deepEqual(recognize(text, 'ticker').value, '', text);
    assert.equal(recognize('Nauru').value, 'Nauru');
  });

  it('takes no code for another that the label or header excludes, and no number where a header names two kinds', () => {
    for (const text of ['Valor: 1213853', 'RIC: 9900412', 'SEDOL code 9900412'])
      assert.match(recognize(text).problem ?? '', /can’t be resolved/, text);
    for (const header of ['SEDOL1', 'CUSIP9', 'PermID', 'Valorennummer'])
      assert.match(recognize('9900412', header).problem ?? '', /can’t be resolved/, header);
    for (const header of ['CIK/Ticker', 'Ticker or CIK', 'ISIN / CIK'])
      assert.match(recognize('7203', header).problem ?? '', /may be many things/, header);
    for (const header of ['CIKs', 'CIKCode', 'cikNumber', 'Issuer CIK No.'])
      assert.deepEqual(recognize('9900412', header), { kind: 'cik', value: '0009900412' }, header);
  });

  it('reads a CIK as spreadsheets show it where the header says so, and loses no digit', () => {
    const shown = [
      ...['9900412', '0009900412', '9900412.0', '9.900412E+06', "'0009900412", '="0009900412"', '9,900,412'],
      ...[' CIK 9900412 ', 'CIK=9900412', 'CIK0009900412'],
    ];
    for (const header of ['cik', 'cik_str', 'issuer_cik', 'CIK Number'])
      for (const text of shown) assert.deepEqual(recognize(text, header), { kind: 'cik', value: '0009900412' }, text);
    for (const lost of ['9.9E+06', '12345678901', '9900412.5', '320.000'])
      assert.ok(recognize(lost, 'cik').problem, lost);
  });

  it('takes no number for a CIK below a header that says something else, or nothing', () => {
    for (const [header, problem] of [
      ['ticker', /XTKS:9900412/],
      ['sedol', /SEDOL/],
      ['CUSIP', /CUSIP/],
      ['id', /alone/],
      ['Column 1', /alone/],
    ] as const) {
      const found = recognize('9900412', header);
      assert.match(found.problem ?? '', problem, header);
      assert.equal(maySend(found), false, header);
    }
    assert.equal(recognize('Acme', 'Merchandising partner').kind, 'name');
    assert.deepEqual(recognize('9900412', 'name'), { kind: 'name', value: '9900412' });
    assert.deepEqual(recognize('VMIS', 'ticker'), { kind: 'symbol', value: 'VMIS' });
    assert.deepEqual(recognize('AU0000XVGZA3', 'sedol'), { kind: 'isin', value: 'AU0000XVGZA3' });
  });

  it('finds completed codes among quotes and blanks', () => {
    const wrap = fc.constantFrom('', ' ', '"', "'", '\t');
    fc.assert(
      fc.property(isinBody, leiBody, figiBody, wrap, (isin, lei, figi, mark) => {
        const around = (text: string) => recognize(`${mark}${text.toLowerCase()}${mark}`);
        assert.equal(around(completeLei(lei)).kind, 'lei');
        assert.equal(around(completeFigi(figi)).kind, 'figi');
        // A valid FIGI may by chance be a valid ISIN too, so only what has no G in third place is asserted.
        if (isin[2] !== 'G') assert.deepEqual(around(completeIsin(isin)), { kind: 'isin', value: completeIsin(isin) });
      }),
    );
  });

  it('never throws, keeps to its kinds, and finds the same again in what it found', () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
    const anything = fc.oneof(units, fc.string());
    fc.assert(
      fc.property(anything, (text) => {
        const found = recognize(text);
        assert.ok(kinds.includes(found.kind));
        assert.ok(found.value.isWellFormed());
        // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is asserted
        assert.doesNotMatch(found.value, /[\u0000-\u001F\u202A-\u202E]/);
        assert.equal(recognize(found.value).value, found.value);
      }),
      { numRuns: 300 },
    );
  });
});
