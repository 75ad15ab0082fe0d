/** Texts that a spreadsheet runs as a formula, or as a call of another program, when a file shows them as they are. */
export const formulaPayloads: readonly string[] = [
  '=1+1',
  ' =1+1',
  '\n=1+1',
  '\r\n =1+1',
  '\t=1+1',
  '\r=1+1',
  '\u00a0=1+1',
  '\u200b=1+1',
  '\ufeff=1+1',
  '\u0000=1+1',
  '＝1+1',
  ' ＋cmd',
  '－cmd',
  '＠SUM(A1)',
  '@SUM(A1)',
  '+cmd',
  '-2+3',
  '−2+3',
  '-1+cmd|’/C calc’!A0',
  '|cmd',
  '%0A=1',
  '=HYPERLINK("http://x","y")',
  '\ttext',
  '\rtext',
  '\ntext',
];

/** Texts that look a little like it, and must stay as they are. */
export const harmlessCells: readonly string[] = ['-1.5', '+12', '-1,234.50', '−3', 'a=b', '1-2', "'x", ' x', ''];
