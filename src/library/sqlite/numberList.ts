/** Gives the numbers of a list, such as `12 7,3`, one by one: a million of them are not made texts first. */
export function eachNumber(list: unknown, each: (number: number) => void): void {
  const text = typeof list === 'number' ? String(list) : list;
  if (typeof text !== 'string') return;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0) number = number * 10 + digit;
    else {
      each(number);
      number = 0;
    }
  }
  each(number);
}
