import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completeFigi, completeIsin, completeLei } from '../../../src/identifiers/codes.ts';
import { findIdentifiers, identifierAt } from '../../../src/identifiers/find.ts';
import { anyText, figiBody, isinBody, leiBody } from './arbitraries.ts';

const shown = (text: string) => findIdentifiers(text).map(({ kind, value }) => `${kind} ${value}`);

describe('Identifiers in a document', () => {
  const examples: readonly (readonly [text: string, ...found: string[]])[] = [
    ['holdings = ["DE000A99ALB2", \'FR0099VMIS17\']', 'isin DE000A99ALB2', 'isin FR0099VMIS17'],
    ['isin:DE000A99ALB2', 'isin DE000A99ALB2'],
    ['https://example.invalid/x/DE000A99ALB2.pdf?y=1', 'isin DE000A99ALB2'],
    ['de000a99alb2', 'isin DE000A99ALB2'],
    ['DE000A99ALB3 has a wrong check digit'],
    ['xDE000A99ALB2 and DE000A99ALB22 are other words'],
    ['DEMO00ALTENBRUCHAG60 (LEI), BBG000BLNQ16.', 'lei DEMO00ALTENBRUCHAG60', 'figi BBG000BLNQ16'],
    ['CIK 0009900131; cik: 42; "cik": "9900131"', 'cik 0009900131', 'cik 42', 'cik 9900131'],
    ['9900131 is just a number, 0009900131 too'],
    ['XLON:THWK, XTKS:6Q41 at 12:30 or 1200:3000', 'ticker XLON:THWK', 'ticker XTKS:6Q41'],
    ['XPAR_VMIS_2022_AR2.pdf', 'report-key XPAR_VMIS_2022_AR2'],
    ['reports/XPAR_VMIS/2022/XPAR_VMIS_2022_SR_2.pdf', 'company-key XPAR_VMIS', 'report-key XPAR_VMIS_2022_SR_2'],
    ['UNLT_WILGENMELK_2016_SR_2 und UNLT_Müller', 'report-key UNLT_WILGENMELK_2016_SR_2', 'company-key UNLT_Müller'],
    ['load_data(data_dir, some_2024_name)'],
    ['De000A99alb2 is written by nobody, DEMO00altenbruchag60 neither'],
    ['demo00altenbruchag60', 'lei DEMO00ALTENBRUCHAG60'],
    ['XPAR_VMIS:3 and XPAR_.pdf and XPAR_vmis are no keys, nor is UNLT_'],
    [`${completeLei('0'.repeat(17) + '7')} is a number, whatever its last digits`],
    ['cik_42, CIK-43, cik.44, cik:45, cik46', 'cik 42', 'cik 43', 'cik 44', 'cik 45', 'cik 46'],
    ['CIK 0000000000, CIK 12345678901, xcik 47, cik then 48'],
    ['XPAR:ABCDEFGHIJKLMNOPQRST, XPAR:ABCDEFGHIJKLMNOPQRSTU', 'ticker XPAR:ABCDEFGHIJKLMNOPQRST'],
    ['CIK: 9,900,131; CIK no. 42, CIK-Number: 43', 'cik 9900131', 'cik 42', 'cik 43'],
    ['CIK 9,90 is no number, but in CIK 9900131,9900412 the first is one', 'cik 9900131'],
    ['ＤＥ０００Ａ９９ＡＬＢ２ and （ＸＮＹＳ：ＢＦ／Ｂ）', 'isin DE000A99ALB2', 'ticker XNYS:BF/B'],
    ['SEDOL 0263494 and CUSIP 037833100 are not ours'],
    [''],
  ];
  for (const [text, ...found] of examples) {
    it(`in ${JSON.stringify(text)}: ${found.join(', ') || 'none'}`, () => assert.deepEqual(shown(text), found));
  }

  const code = fc.oneof(isinBody.map(completeIsin), leiBody.map(completeLei), figiBody.map(completeFigi));
  const border = fc.constantFrom('"', "'", ' ', ',', ';', '(', '[', '/', '|', '\t', '…', '“', '€', '=');

  it('are found in any text around them, where they stand', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        border,
        code,
        border,
        fc.string({ unit: 'grapheme' }),
        (...parts) => {
          const [before, left, wanted] = parts;
          const text = parts.join('');
          fc.pre(/[A-Z]/.test(wanted));
          const start = before.length + left.length;
          const hit = findIdentifiers(text).find((found) => found.start === start);
          assert.equal(hit?.value, wanted);
          assert.equal(text.slice(hit.start, hit.end), wanted);
          assert.deepEqual(identifierAt(text, start + 3), hit);
        },
      ),
    );
  });

  it('never overlap, stand in order and are what the text says', () => {
    const piece = fc.oneof(code, border, anyText, fc.constantFrom('_', ':', 'XPAR_VMIS_2022_SR'));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        let last = 0;
        for (const { kind, value, start, end } of findIdentifiers(text)) {
          assert.ok(start >= last && end > start);
          const written = text.slice(start, end);
          assert.equal(kind === 'cik' ? written : written.toUpperCase(), kind === 'cik' ? value : value.toUpperCase());
          last = end;
        }
      }),
    );
  });

  it('cost no more than the length of the text', () => {
    // Each would take minutes in a search that goes back.
    const hard = [
      'A_'.repeat(200_000),
      'XPAR_'.repeat(80_000),
      'cik '.repeat(100_000),
      '0'.repeat(400_000),
      ':.'.repeat(2e5),
    ];
    for (const text of hard) {
      findIdentifiers(text);
      identifierAt(text, text.length / 2);
    }
  });

  it('stand where the number does, not its label', () => {
    for (const text of ['cik: 9900131;', '"CIK": "9900131"', 'cik_9900131']) {
      const start = text.indexOf('99');
      const found = { kind: 'cik', value: '9900131', start, end: start + 7 };
      assert.deepEqual(findIdentifiers(text), [found]);
      assert.deepEqual(identifierAt(text, start), found);
      assert.deepEqual(identifierAt(text, found.end), found);
      assert.equal(identifierAt(text, start - 1), undefined);
      assert.equal(identifierAt(`${text}  `, found.end + 2), undefined);
    }
  });

  it('are no longer than 200 characters, from wherever one looks, and in the first 20,000 of a text', () => {
    const longest = `${'UNLT_'.repeat(39)}ABCDE`;
    assert.equal(longest.length, 200);
    for (const offset of [0, 100, 200]) {
      assert.equal(identifierAt(longest, offset)?.value, longest);
      assert.equal(identifierAt(`${'UNLT_'.repeat(41)}AB`, offset), undefined);
    }
    const far = (blanks: number) => findIdentifiers(`${' '.repeat(blanks)}DE000A99ALB2`).length;
    assert.deepEqual([far(19_988), far(19_989)], [1, 0]);
  });

  it('are found far into a very long line', () => {
    const text = `${'"x": 1, '.repeat(50_000)}"DE000A99ALB2"`;
    assert.equal(identifierAt(text, text.length - 5)?.value, 'DE000A99ALB2');
  });
});
