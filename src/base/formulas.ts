/**
 * How a text begins that a spreadsheet would run as a formula or as a call of another program, also behind blanks, line
 * breaks and invisible characters. Numbers with a sign are left alone.
 */
const formula = /^(?:[\s\p{Cc}\p{Cf}]*(?:[=@|%＝＠｜％]|[+\-−＋－](?![\d.,]*$))|[\t\r\n])/u;

/** Whether a spreadsheet that opens a CSV file would run this cell. */
export function startsFormula(cell: string): boolean {
  return formula.test(cell);
}

/** The cell for a file that spreadsheets open: one that would run gets an apostrophe in front, which means "text". */
export function guardFormula(cell: string): string {
  return startsFormula(cell) ? `'${cell}` : cell;
}

/** Takes back what {@link guardFormula} did. */
export function unguardFormula(cell: string): string {
  const plain = cell.slice(1);
  return cell.startsWith("'") && startsFormula(plain) ? plain : cell;
}
