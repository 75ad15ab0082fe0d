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

  it('are found far into a very long line', () => {
    const text = `${'"x": 1, '.repeat(50_000)}"DE000A99ALB2"`;
    assert.equal(identifierAt(text, text.length - 5)?.value, 'DE000A99ALB2');
  });
});
