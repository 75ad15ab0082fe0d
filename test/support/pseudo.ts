type Words = Readonly<Record<string, string>>;

/** The tag of the language that no person speaks: each of its sentences is known by its brackets, and 40 % longer. */
export const pseudoTag = 'qps-ploc';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçđéƒğħíĵķľɱñóƥɋřšťúṽŵẋýžÁƁÇĐÉƑĞĦÍĴĶĽṀÑÓƤɊŘŠŤÚṼŴẊÝŽ';
const letters = new Map([...plain].map((letter, index) => [letter, [...accented][index] ?? letter]));
/** Placeholders, icons, code and where links lead stay as they are. */
const fixed = /\{\d+\}|\$\([\w~-]+\)|`[^`]*`|\]\([^)]*\)/g;

/** A message in the pseudo-language. Blanks around it and icons before it stay outside, as they do in a translation. */
function pseudo(message: string): string {
  const [, before = '', text = '', after = ''] = /^((?:\s|\$\([\w~-]+\))*)(.*?)(\s*)$/s.exec(message) ?? [];
  const kept = [...text.matchAll(fixed)];
  const speak = (part: string) => [...part].map((letter) => letters.get(letter) ?? letter).join('');
  let told = '';
  let at = 0;
  for (const match of kept) {
    told += speak(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  told += speak(text.slice(at));
  const more = Math.ceil(text.replaceAll(fixed, '').trim().length * 0.4);
  const filling = ' ñéẋť ƀíť'.repeat(Math.ceil(more / 9)).slice(0, more);
  return `${before}⟦${told}${filling}⟧${after}`;
}

/** All of a bundle's messages in the pseudo-language, by their keys; of a manifest's, which are values, too. */
export function pseudoWords(messages: Iterable<readonly [key: string, english: string]>): Words {
  return Object.fromEntries([...messages].map(([key, english]) => [key, pseudo(english)]));
}

/** What a text says outside of its messages: data, or words that nobody can translate. */
export function outside(text: string): string {
  let left = text;
  for (let before = ''; before !== left; ) {
    before = left;
    left = left.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ');
  }
  return left.replaceAll(/\s+/g, ' ').trim();
}
