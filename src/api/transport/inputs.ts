import { badRequest } from './problems.ts';

const longest = 1000;
const unfit = /[\p{Cc}\p{Cs}]/u;

/**
 * Checks texts that a person or a file gave before they are sent. Throws `invalid` with one entry per refused text,
 * by its place from 1.
 */
export function checkInputs(values: readonly string[], noun: string): void {
  const fields = values.flatMap((value, index) => {
    const message = refusal(value);
    return message === null ? [] : [{ field: `${noun} ${index + 1}`, message }];
  });
  const first = fields[0];
  if (!first) return;
  const count = fields.length === 1 ? `One ${noun}` : `${fields.length} ${noun}s`;
  throw badRequest(
    `${count} can't be sent: ${first.field} ${first.message}.`,
    `Correct or remove ${fields.length === 1 ? 'it' : 'them'}, then try again.`,
    fields,
  );
}

function refusal(value: string): string | null {
  if (value.trim() === '') return 'is empty';
  if (value.length > longest) return `is longer than ${longest} characters`;
  return unfit.test(value) ? 'holds characters that no text should hold' : null;
}
